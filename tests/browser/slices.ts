// Slice times of the engine's worker, from the browser's trace: the CPU time and the elapsed time of each task. On two cores, a
// task often waits for the page, the compositor and the WebAssembly compiler, so the elapsed time is longer.
import type { Browser } from "@playwright/test";

interface Event {
  ph: string;
  name: string;
  pid: number;
  tid: number;
  /** In microseconds. */
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/** Durations of all tasks in milliseconds, ascending. */
export interface Slices {
  worked: number[];
  passed: number[];
}

/** The tasks of the page's workers during an action. */
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
