/**
 * Every bench with a promise, in a stated order, and docs/performance.md from what they found.
 *
 *     npm run bench table                      all of them, then the file
 *     npm run bench table -- peak sustained    these, kept for later; no file
 *     npm run bench table -- --write           the file, from what is kept
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
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
    about: "One tool call asked about over and over, committed before it is answered, beside a bare echo and Cerbos.",
  },
  peak: { title: "Peak", about: "The highest rate that is held for a minute, over 200 sessions of 24 agents." },
  sustained: { title: "Sustained load", about: "Ten minutes at 60 % of the peak with 20 viewers; latencies of gates." },
  apart: { title: "Gates apart from everything else", about: "200 gates a second beside what others do on the node." },
  dialects: {
    title: "Dialects",
    about: "A gate asked through the adapters of clients beside the same gate in native words, turn by turn.",
  },
  rules: {
    title: "Rules",
    about:
      "200 rules in process and the same guard as a command hook, turn by turn; then the hot path with rules and without.",
  },
  shim: { title: "Shell shim", about: "`quarterdeck-hook.sh` beside curl's own start, turn by turn." },
  approvals: {
    title: "Calls that wait for people",
    about: "What thousands of them cost others, and how soon an answer arrives.",
  },
  "event-to-pixel": { title: "Event to pixel", about: "Ten people look on while 50 events a second arrive; two draw." },
  verification: { title: "Verification of the record", about: "Five million dispatches, from the beginning." },
  dashboards: { title: "Pages", about: "All pages and drawers over five million dispatches." },
  "page-weight": {
    title: "Page weight",
    about: "Each page on a first visit, with demo data: script as it is sent, requests, and how far the layout moves.",
  },
  posture: {
    title: "Posture of a fleet",
    about: "The counts and filters of the page Agents over 5,000 agents of nine clients, in one process.",
  },
  memory: { title: "Memory", about: "All processes of a node over a million dispatches, pages read and events taken." },
  rebuild: { title: "Figures computed anew", about: "One day of 200,000 dispatches." },
};

const BUSY_LOAD = 1;
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
  const runs = Object.keys(PARTS).map((name) => ({ name, run: lastRun(name) }));
  await writeFile(FILE, text(runs));
  console.log(`\nwritten: ${FILE}`);
  return runs.every(({ run }) => run?.isKept === true);
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

function text(runs: readonly { readonly name: string; readonly run: KeptRun | null }[]): string {
  const known = runs.flatMap(({ run }) => (run === null ? [] : [run]));
  const same = (of: (run: KeptRun) => string) => [...new Set(known.map(of))].join("; ");
  const shortened = known.filter(({ args }) => args.length > 0).map(({ bench }) => bench);
  const missed = known.flatMap(({ figures }) => figures).filter(({ isMet }) => isMet === false).length;
  return `# Performance

<!-- Written by \`npm run bench table\`. -->

What the benches of this release found, beside what is asked of it. [Where the time goes](where-time-goes.md) says why
figures are missed, and what was tried. Only ratios of one run travel to another machine; the
other figures are of this one, on which PostgreSQL, the node, the load and the browsers share the cores.

- Machine: ${same(({ machine }) => machine)}
- Commit: ${same(({ commit }) => commit)}
- Date: ${same(({ startedAt }) => startedAt.slice(0, 10))}
- Figures that are missed: ${missed}
${shortened.length === 0 ? "" : `- Run with arguments, and so not as it is asked: ${shortened.join(", ")}\n`}${runs.map(({ name, run }) => section(name, run)).join("")}`;
}

function section(name: string, run: KeptRun | null): string {
  const { title = name, about = "" } = PARTS[name] ?? {};
  const head = `\n## ${title}\n\n${about} \`npm run bench ${[name, ...argumentsOf(run)].join(" ")}\``;
  if (run === null) return `${head}\n\nIt has not run.\n`;
  const when = `${run.startedAt.slice(0, 16).replace("T", " ")} UTC, ${minutes(run.seconds)}`;
  const rows = run.figures.map(
    ({ name: figure, asked, measured, isMet }) =>
      `| ${[figure, asked ?? "", measured, isMet === null ? "" : isMet ? "met" : "**missed**"].map(cell).join(" | ")} |`,
  );
  return `${head} (${when}; load of the machine before it: ${run.loadBefore.toFixed(1)})

| figure | asked | measured | |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

const argumentsOf = (run: KeptRun | null): readonly string[] =>
  run === null || run.args.length === 0 ? [] : ["--", ...run.args];
const minutes = (seconds: number): string => (seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
