// How long the engine's worker works at once, from the browser's own trace: the processor time of each of its tasks, and the
// time that went by meanwhile. On two cores a task that is at work is often made to wait by the page, the compositor and the
// compiler of WebAssembly, so the second is longer.
import type { Browser } from "@playwright/test";

interface Event {
  ph: string;
  name: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/** Milliseconds of each task, ascending. */
export interface Slices {
  worked: number[];
  passed: number[];
}

/** The tasks of the page's workers while something is done. */
export async function slices(browser: Browser, action: () => Promise<void>): Promise<Slices> {
  const session = await browser.newBrowserCDPSession();
  const events: Event[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as Event[])));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel"] },
  });
  await action();
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
  await session.detach();
  const thread = ({ pid, tid }: Event) => `${pid} ${tid}`;
  const names = events.filter((e) => e.ph === "M" && e.name === "thread_name");
  const workers = new Set(names.filter((e) => e.args.name === "DedicatedWorker thread").map(thread));
  const tasks = events.filter(
    (e) => e.ph === "X" && e.name === "ThreadControllerImpl::RunTask" && workers.has(thread(e)),
  );
  const sorted = (times: (number | undefined)[]) => times.map((time) => (time ?? 0) / 1000).sort((a, b) => a - b);
  return { worked: sorted(tasks.map((e) => e.tdur)), passed: sorted(tasks.map((e) => e.dur)) };
}
