/**
 * Every bench with a promise, in a stated order, and docs/performance.md from what they found.
 *
 *     npm run bench table                      all of them, then the file
 *     npm run bench table -- peak sustained    these, kept for later; no file
 *     npm run bench table -- --write           the file, from what is kept; a bench that is not keeps its section of the file
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { type KeptRun, lastRun } from "./fixtures/figures.ts";

interface Part {
  readonly title: string;
  readonly about: string;
}

/** In the order in which they run: the sustained load goes on from the peak, and what makes a history comes before what reads it. */
const PARTS: Readonly<Record<string, Part>> = {
  "hot-path": {
    title: "Hot path",
    about: "One tool call, repeated, committed before it is answered; compared with a bare echo and Cerbos.",
  },
  floor: {
    title: "Cost of an event",
    about:
      "Processor time of one event, compared with a bare node:http server that commits one INSERT for each request into the same PostgreSQL, in alternation.",
  },
  peak: {
    title: "Peak",
    about: "The highest rate that the node sustains for a minute, over 200 sessions of 24 agents.",
  },
  sustained: { title: "Sustained load", about: "Ten minutes at 60 % of the peak with 20 viewers: latencies of gates." },
  apart: { title: "Gates under other load", about: "200 gates a second while the node does other work." },
  pressure: {
    title: "Gates under pressure",
    about:
      "Gates at 30, 60 and 90 % of the peak while others are busy, in turns with none; then at 1.5 times the peak.",
  },
  dialects: {
    title: "Dialects",
    about: "A gate through the adapters of clients, compared with the same gate in native words, in alternation.",
  },
  rules: {
    title: "Rules",
    about:
      "200 rules in process and the same guard as a command hook, in alternation; then the hot path with and without rules.",
  },
  shim: { title: "Shell shim", about: "`quarterdeck-hook.sh`, compared with the start of curl, in alternation." },
  approvals: {
    title: "Calls that wait for people",
    about: "The cost of thousands of waiting calls for other work, and the delay until an answer arrives.",
  },
  streams: {
    title: "Streams",
    about: "200 gates a second with a stream to an HTTP and a syslog receiver, in turns with no stream.",
  },
  "event-to-pixel": {
    title: "Event to pixel",
    about: "Ten viewers are connected while 50 events a second arrive; two of them draw.",
  },
  verification: { title: "Verification of the record", about: "Five million dispatches, from the beginning." },
  dashboards: { title: "Pages", about: "All pages and drawers over five million dispatches." },
  "page-weight": {
    title: "Page weight",
    about: "Each page on a first visit, with demo data: transferred script, requests, and layout shift.",
  },
  posture: {
    title: "Posture of a fleet",
    about: "The counts and filters of the Agents page over 5,000 agents of nine clients, in one process.",
  },
  memory: {
    title: "Memory",
    about: "All processes of a node over a million dispatches, while pages are read and events arrive.",
  },
  backtest: {
    title: "Backtests",
    about: "A changed rule over 100,000 stored calls with three packs in force, and the gates while backtests run.",
  },
  rebuild: { title: "Recomputed figures", about: "One day of 200,000 dispatches." },
};

const BUSY_LOAD = 1;
const MISSED = "**missed**";
const NOT_MEASURED = "No result is stored for this release.";
const FILE = fileURLToPath(new URL("../docs/performance.md", import.meta.url));

/** True when every bench that ran, or is kept, keeps its promises. */
export async function table(args: readonly string[]): Promise<boolean> {
  const named = args.filter((arg) => !arg.startsWith("--"));
  const unknown = [...named.filter((name) => !Object.hasOwn(PARTS, name)), ...args.filter(isUnknownFlag)];
  if (unknown.length > 0)
    throw new Error(`There is no "${unknown[0]}"; there are ${Object.keys(PARTS).join(", ")} and --write.`);
  const isWritten = args.includes("--write") || named.length === 0;
  const isRun = named.length > 0 || !args.includes("--write");
  const [load = 0] = loadavg();
  if (isRun && load > BUSY_LOAD)
    console.error(
      `The machine has other work (load ${load.toFixed(1)}): times will be longer than they are. Runs say so.`,
    );
  let isKept = true;
  if (isRun) for (const name of named.length > 0 ? named : Object.keys(PARTS)) isKept = (await run(name)) && isKept;
  if (!isWritten) return isKept;
  const before = await readFile(FILE, "utf8");
  const sections = Object.entries(PARTS).map(([name, part]) => section(name, part, before));
  await writeFile(FILE, text(sections));
  console.log(`\nwritten: ${FILE}`);
  return !sections.some((one) => one.includes(MISSED) || one.includes(NOT_MEASURED));
}

const isUnknownFlag = (arg: string): boolean => arg.startsWith("--") && arg !== "--write";

/** In a process of its own: one that fails leaves the others their turn. */
async function run(name: string): Promise<boolean> {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  console.log(`\n${new Date().toISOString().slice(11, 19)}Z`);
  const child = spawn(process.execPath, ["--import", "tsx", main, name], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code === 0;
}

function text(sections: readonly string[]): string {
  const all = sections.join("");
  return `# Performance

<!-- Written by \`npm run bench table\`. -->

This page compares the figures of this product with their targets. [Where the time goes](where-time-goes.md) explains the missed
figures and the changes that were tried. Only ratios of one run apply to another machine. The
other figures are those of machines with two cores. PostgreSQL, the node, the load and the browsers share its cores.

Figures that are missed: ${all.split(MISSED).length - 1}
${all}`;
}

/** From the run that is kept, or as the file has it. */
function section(name: string, { title, about }: Part, before: string): string {
  const run = lastRun(name);
  const start = `\n## ${title}\n`;
  const from = before.indexOf(start);
  if (run === null && from >= 0) {
    const end = before.indexOf("\n## ", from + start.length);
    return before.slice(from, end < 0 ? undefined : end);
  }
  const head = `${start}\n${about} \`npm run bench ${[name, ...argumentsOf(run)].join(" ")}\``;
  if (run === null) return `${head}\n\n${NOT_MEASURED}\n`;
  const when = `${run.startedAt.slice(0, 16).replace("T", " ")} UTC, ${minutes(run.seconds)}, commit ${run.commit}, ${run.machine}`;
  const rows = run.figures.map(
    ({ name: figure, asked, measured, isMet }) =>
      `| ${[figure, asked ?? "", measured, isMet === null ? "" : isMet ? "met" : MISSED].map(cell).join(" | ")} |`,
  );
  const shortened = run.args.length > 0 ? "; shorter than the target requires" : "";
  return `${head} (${when}; load of the machine before it: ${run.loadBefore.toFixed(1)}${shortened})

| figure | target | measured | |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

const argumentsOf = (run: KeptRun | null): readonly string[] =>
  run === null || run.args.length === 0 ? [] : ["--", ...run.args];
const minutes = (seconds: number): string => (seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
