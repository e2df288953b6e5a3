// A server with a class, and the browsers of its people.
import { type Browser, type Page, expect } from "@playwright/test";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Cluster } from "./cluster";

const ROOT = resolve(import.meta.dirname, "../..");
/** The program that the native tests built. */
const PROGRAM = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, "target"), "debug/sandbatch");

/** A class server of its own, with the links that it printed. */
export class ClassServer {
  private child?: ChildProcess;
  teacher = "";
  participants = "";

  constructor(
    private readonly state: string,
    private readonly more: readonly string[] = [],
  ) {}

  /** Starts it; a second start resumes the class at the same address. */
  async start(listen = "127.0.0.1:0"): Promise<void> {
    const options = ["serve", "--class", "hpc1", "--listen", listen, "--web", join(ROOT, "dist"), "--state", this.state, "--no-qr", ...this.more];
    const child = spawn(PROGRAM, options, { stdio: ["ignore", "pipe", "inherit"] });
    this.child = child;
    let said = "";
    child.stdout?.on("data", (bytes) => {
      said += String(bytes);
    });
    await expect.poll(() => said, { message: "the server prints its links" }).toMatch(/Participants: +\S+\n/);
    this.teacher = /Teacher: +(\S+)/.exec(said)?.[1] ?? "";
    this.participants = /Participants: +(\S+)/.exec(said)?.[1] ?? "";
  }

  /** Where it listens. */
  listen(): string {
    return new URL(this.teacher).host;
  }

  /** Kills it, as a crash would. */
  async kill(): Promise<void> {
    const ended = new Promise((done) => this.child?.once("exit", done));
    this.child?.kill("SIGKILL");
    await ended;
  }
}

/** A browser of its own: nothing is shared with the others but the class. */
export async function visitor(browser: Browser, link: string, name: string): Promise<Cluster> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page: Page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem("sandbatch:tour", "seen"));
  const cluster = new Cluster(page);
  await page.goto(link);
  await page.getByTestId("class-name").fill(name);
  await page.getByTestId("class-join").click();
  await cluster.ready();
  return cluster;
}

/** Serves a class while `use` runs. */
export async function withClass(more: readonly string[], use: (server: ClassServer) => Promise<void>): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "sandbatch-class-"));
  const server = new ClassServer(state, more);
  await server.start();
  try {
    await use(server);
  } finally {
    await server.kill();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Opens the teacher's dashboard. */
export async function openBoard(teacher: Cluster): Promise<void> {
  await teacher.get("class-mark").locator("summary").click();
  await teacher.get("class-board-open").click();
}
