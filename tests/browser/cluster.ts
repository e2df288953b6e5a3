// What a user can do on the page: open it, type a command and read the answer, save a script.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Locator, type Page, expect } from "@playwright/test";

/** Matches if the last line is an empty shell prompt. */
const PROMPT = /(^|\n)[^\n]*@[^\n]*[$#]$/;

export class Cluster {
  /** Errors in the page that were not reported to the user. */
  readonly errors: string[] = [];
  private written = 0;

  /**
   * `offline`: with the service worker, which fetches and keeps all files of the page. Other tests do without it, because that is a
   * third of the work at the page's start.
   */
  constructor(readonly page: Page, private readonly options: { offline?: boolean } = {}) {
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text());
    });
  }

  /** Opens the page as a returning visitor, on a site with many rules and without background jobs; waits for the prompt. */
  async open(address = "./?site=inserm&background=off"): Promise<void> {
    await this.page.addInitScript(() => {
      try {
        localStorage.setItem("sandbatch:tour", "seen");
      } catch {
        // A browser without storage offers the tour each time.
      }
    });
    await this.openFirst(address);
  }

  /** Opens the page as a first-time visitor. */
  async openFirst(address = "./"): Promise<void> {
    // As in a browser that does not allow one. A sandboxed frame may not even read `navigator.serviceWorker`.
    const refused = () => {
      const container = (window as { ServiceWorkerContainer?: { prototype: object } }).ServiceWorkerContainer;
      Object.assign(container?.prototype ?? {}, { register: () => Promise.reject(new Error("not allowed")) });
    };
    if (!this.options.offline) await this.page.addInitScript(refused);
    await this.page.goto(address);
    await this.ready();
  }

  /** Reloads the page. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  async ready(): Promise<void> {
    await expect(this.get("prompt-ready")).toBeAttached();
    await expect.poll(() => this.text()).toMatch(PROMPT);
  }

  get(testId: string): Locator {
    return this.page.getByTestId(testId).first();
  }

  /** The terminal's text including the scrollback. */
  text(): Promise<string> {
    return this.page.evaluate(() => {
      const exposed = (window as unknown as { __sandbatch?: { terminalText(): string } }).__sandbatch;
      return exposed?.terminalText() ?? "";
    });
  }

  /** The terminal's keyboard input element. */
  keys(): Locator {
    return this.get("terminal").locator(".pane:not(.away) textarea");
  }

  /** Types one line, without Enter. */
  async type(text: string): Promise<void> {
    await this.keys().focus();
    if (text.length < 200) await this.page.keyboard.type(text);
    else await this.paste(text);
  }

  async press(key: string): Promise<void> {
    await this.keys().focus();
    await this.page.keyboard.press(key);
  }

  /** Pastes text, as if copied from a guide. */
  async paste(text: string): Promise<void> {
    await this.keys().evaluate((place, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      place.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  }

  /** Runs a command and returns its output. */
  async run(line: string, timeout = 20_000): Promise<string> {
    await this.type(line);
    await expect.poll(async () => (await this.text()).endsWith(line.trimEnd()), { message: "the line is shown" }).toBe(true);
    await this.press("Enter");
    const text = await this.prompted(timeout, line);
    return text.slice(text.lastIndexOf(line) + line.length).split("\n").slice(1, -1).join("\n");
  }

  /** Waits for the prompt; returns the whole text of the terminal. */
  async prompted(timeout = 20_000, line = ""): Promise<string> {
    let text = "";
    const asks = async () => {
      text = await this.text();
      return PROMPT.test(text);
    };
    await expect.poll(asks, { timeout, message: `the shell asks for a command again after: ${line.slice(0, 80)}` }).toBe(true);
    return text;
  }

  /** Chooses an entry of the export menu of the open panel, or of another zone. */
  async export(entry: string, zone = "#open-panel"): Promise<void> {
    await this.page.locator(`${zone} [data-testid="export"]`).click();
    await this.page.locator(`${zone} [data-testid="${entry}"]`).click();
  }

  /** Submits a job and returns its id. */
  async submit(line: string): Promise<number> {
    const said = await this.run(line);
    const number = /^Submitted batch job (\d+)/m.exec(said)?.[1];
    expect(number, `${line} said: ${said}`).toBeDefined();
    return Number(number);
  }

  /** The table row of a job or its array. Other columns contain numbers, too. */
  row(job: number): Locator {
    const id = this.page.locator(".c-id", { hasText: new RegExp(`^${job}(?!\\d)`) });
    return this.page.getByTestId("queue-row").filter({ has: id });
  }

  /** Advances the clock until a job has left the queue. */
  async untilEnded(job: number, most = 30): Promise<void> {
    for (let i = 0; i < most; i += 1) {
      const queued = await this.run(`squeue -h -j ${job}`);
      if (!/\S/.test(queued) || queued.includes("Invalid job id")) return;
      await this.skipUntil("end");
    }
    throw new Error(`job ${job} is in the queue still: ${await this.run("squeue")}`);
  }

  /** Skips until one of the user's jobs starts or ends, or until the queue is empty. */
  async skipUntil(what: "start" | "end" | "empty"): Promise<void> {
    await this.choose("skip-until", what);
    await this.skipped();
  }

  /** Skips to a moment: `2026-03-02T14:07`. */
  async skipTo(moment: string): Promise<void> {
    await this.choose("skip-until", "moment");
    await this.get("skip-moment").fill(moment);
    await this.get("skip-go").click();
    await this.skipped();
  }

  /** Skips to the next event. */
  async skip(): Promise<void> {
    await this.get("skip-next").click();
    await this.skipped();
  }

  private async skipped(): Promise<void> {
    await this.page.waitForTimeout(150);
    await expect(this.page.getByTestId("skip-stop")).toHaveCount(0, { timeout: 45_000 });
  }

  /** Writes a file in the shell, as if pasted from a guide. */
  async write(name: string, text: string): Promise<void> {
    this.written += 1;
    const end = `END_${this.written}`;
    await this.paste(`cat > ${name} << '${end}'\n${text.trimEnd()}\n${end}\n`);
    await expect.poll(async () => PROMPT.test((await this.text()).split(`${end}\n`).at(-1) ?? "")).toBe(true);
  }

  /** Chooses a value of a list, also of one in the menu of the header, or a speed. */
  async choose(testId: string, value: string): Promise<void> {
    if (testId === "pace") return this.get(`pace-${value}`).click();
    const setting = this.get(testId);
    // The menu's contents come with the deferred module.
    await setting.waitFor({ state: "attached" });
    const menu = this.page.locator(".settings .menu").filter({ has: this.page.getByTestId(testId) });
    const closed = (await menu.count()) > 0 && (await menu.getAttribute("open")) === null;
    if (closed) await menu.locator("summary").click();
    if ((await setting.evaluate((element) => element.tagName)) === "SELECT") await setting.selectOption(value);
    else await setting.fill(value);
    if (closed) await menu.locator("summary").click();
  }

  /** Becomes another user, by the picker of the header. */
  async become(user: string): Promise<void> {
    await this.pick("user", user);
  }

  /** Opens another site, by the picker of the header. */
  async openSite(site: string): Promise<void> {
    await this.pick("site", site);
  }

  private async pick(what: "user" | "site", name: string): Promise<void> {
    await this.get(what === "user" ? "user-picker" : "site").click();
    const dialog = this.get(`pick-${what}`);
    await dialog.getByRole("option").filter({ has: this.page.getByText(name, { exact: true }) }).click();
    await expect(this.page.getByTestId(`pick-${what}`)).toHaveCount(0);
  }

  /** Replaces the editor's text. */
  async edit(text: string): Promise<void> {
    const content = this.get("editor").locator(".cm-content");
    await content.click();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(text);
  }

  /** The longest time in milliseconds without a frame during an action. */
  async longestPause(action: () => Promise<void>): Promise<number> {
    await this.page.evaluate(() => {
      const w = window as unknown as { gaps: { worst: number; last: number; on: boolean } };
      w.gaps = { worst: 0, last: performance.now(), on: true };
      const frame = () => {
        const now = performance.now();
        w.gaps.worst = Math.max(w.gaps.worst, now - w.gaps.last);
        w.gaps.last = now;
        if (w.gaps.on) requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
    await action();
    return this.page.evaluate(() => {
      const w = window as unknown as { gaps: { worst: number; last: number; on: boolean } };
      w.gaps.on = false;
      return Math.max(w.gaps.worst, performance.now() - w.gaps.last);
    });
  }
}

/** The script of the guide's chapter 7, on a partition. */
export const guide = (partition: string): string => `#!/bin/bash
#SBATCH --job-name=TestCalcul
#SBATCH --output=Resultat_%j.out
#SBATCH --error=Erreur_%j.err
#SBATCH --time=00:10:00
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=1G
#SBATCH --partition=${partition}

echo "Job démarré sur le nœud : $(hostname)"
echo "Date et heure : $(date)"

# Exemple de commande à exécuter
python mon_script.py
`;

/** A site with this many nodes of 32 cores each, served to the page instead of its own sites. */
export function large(nodes: number): Record<string, string> {
  const names = `n[00001-${String(nodes).padStart(5, "0")}]`;
  return {
    "slurm.conf": [
      "ClusterName=large",
      "SelectType=select/cons_tres",
      "SelectTypeParameters=CR_Core_Memory",
      "MaxArraySize=200001",
      "MaxJobCount=300000",
      `NodeName=${names} Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000`,
      `PartitionName=batch Nodes=${names} Default=YES MaxTime=1-0 State=UP`,
    ].join("\n"),
    "site.toml": '[[users]]\nname = "alice"\n',
  };
}

/** Opens it. */
export async function openLarge(page: Page, nodes: number): Promise<Cluster> {
  const files = large(nodes);
  await page.route("**/sites/index.json", (route) => route.fulfill({ json: ["inserm"] }));
  await page.route("**/sites/inserm.json", (route) => route.fulfill({ json: Object.entries(files) }));
  const cluster = new Cluster(page);
  await cluster.open();
  return cluster;
}

/** Drops files on the page as from a file manager. */
export async function drop(page: Page, files: Record<string, string>): Promise<void> {
  await page.evaluate((all) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of Object.entries(all)) dataTransfer.items.add(new File([text], name));
    const event = (kind: string) => new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event("dragenter"));
    document.body.dispatchEvent(event("drop"));
  }, files);
}

/** Serves a page at an origin of its own while `use` runs. */
export async function guideOf(html: string, use: (address: string) => Promise<void>): Promise<void> {
  const server = createServer((_, answer) => void answer.setHeader("content-type", "text/html; charset=utf-8").end(html));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
