// What axe finds on a page.
import AxeBuilder from "@axe-core/playwright";
import { type Page } from "@playwright/test";

/** The violations on a page, or within one element of it, each with its rule and where it was found. */
export async function violations(page: Page, within?: string): Promise<string[]> {
  // The other mode opens a window for each look, and results of rules that hold are long: four times slower.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  if (within !== undefined) axe.include(within);
  const found = (await axe.analyze()).violations;
  return found.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 5).join(", ")}`);
}
