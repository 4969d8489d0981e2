/**
 * Redaction: what it costs to look for secrets in what tools answer, and in an input as it is stored, also with a full set of a
 * workspace's own rules. Ordinary text is what counts, since every input is looked through; a text made against us only has to end.
 */
import { readFileSync } from "node:fs";
import { createMasking, maskText, redactText } from "@quarterdeck/hooks";
import {
  DETECTORS,
  ID_COUNTRIES,
  MASK_PATTERNS_MAX,
  maskingSetting,
} from "@quarterdeck/hooks/contract/masking-setting";
import { ms, percentile } from "./fixtures/percentile.ts";

const RUNS = 200;
const KIB = 1_024;
const ORDINARY_BYTES = 50 * KIB;
const ORDINARY_MS_MAX = 5;
const LARGE_BYTES = 4 * KIB * KIB;
const LARGE_MS_MAX = 3_000;
const SECRET_EVERY = 2 * KIB;
/** Own masking, as a multiple of the built-in masking of the same text. */
const OWN_RATIO_MAX = 10;

/** True if 50 KiB of ordinary output stay under 5 ms, and the largest input, whatever is in it, under three seconds. */
export async function bench(): Promise<boolean> {
  const texts = { "a lock file": ordinary("package-lock.json"), prose: ordinary("docs/architecture.md") };
  let isKept = true;
  for (const [name, text] of Object.entries(texts)) {
    isKept = report(`redacted, ${name}`, () => redactText(text), text.length, RUNS) && isKept;
    const json = JSON.stringify({ session_id: "bench", tool_response: text });
    isKept = report(`masked as JSON, ${name}`, () => maskText(json), json.length, RUNS) && isKept;
    isKept = reportOwn(name, json) && isKept;
  }
  const secrets = withSecrets(texts["a lock file"]);
  isKept =
    report(`redacted, a secret every ${SECRET_EVERY} bytes`, () => redactText(secrets), secrets.length, RUNS) && isKept;
  const gate = JSON.stringify({
    hook_event_name: "pre_tool_use",
    tool_input: { cmd: "ls -la src && cat package.json" },
  });
  isKept = report("masked as JSON, a gate's input", () => maskText(gate), gate.length, RUNS) && isKept;

  const large = texts["a lock file"].repeat(Math.ceil(LARGE_BYTES / ORDINARY_BYTES)).slice(0, LARGE_BYTES);
  const hostile = HOSTILE.map((part) => part.repeat(Math.ceil(LARGE_BYTES / part.length)).slice(0, LARGE_BYTES));
  const times = [large, ...hostile].map((text) => cpuMsOf(() => maskText(JSON.stringify({ text }))));
  console.log(`4 MiB, ordinary, of processor time: ${ms(times[0] ?? Number.NaN)}`);
  const worst = Math.max(...times);
  console.log(`4 MiB, the worst of ${HOSTILE.length} made against us: ${ms(worst)}; to hold: ${ms(LARGE_MS_MAX)}`);
  return isKept && worst < LARGE_MS_MAX;
}

/** Beginnings of secrets, over and over: each asks for a closer look. */
const HOSTILE = [
  ...[
    ["glp", "at-"],
    ["sk", "-"],
    ["ado", "be="],
    [".e", "yJhbGciOiJ"],
    ["-----BEG", "IN PRIVATE KEY-----"],
  ],
  ...[
    ["redis:", "//:x@h "],
    ["xox", "b-1234567890"],
    [".docker", "cfg: "],
    ["auth", "token "],
    ["aws_", "secret = "],
  ],
].map((pieces) => pieces.join(""));

function report(name: string, run: () => unknown, bytes: number, runs: number): boolean {
  const times = timesOf(run, runs);
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  const perSecond = bytes / KIB / KIB / (p50 / 1_000);
  console.log(
    `${name} (${(bytes / KIB).toFixed(1)} KiB): p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms, ${perSecond.toFixed(0)} MiB/s; ` +
      `to hold: p50 under ${ms(ORDINARY_MS_MAX)}`,
  );
  return p50 < ORDINARY_MS_MAX;
}

/** Every detector, and as many patterns as a workspace may have. */
const OWN = createMasking(
  maskingSetting.parse({
    patterns: Array.from({ length: MASK_PATTERNS_MAX }, (_, at) => ({
      ...{ id: `0198c0de-0000-7000-8000-${String(at).padStart(12, "0")}`, name: `pattern ${at}` },
      pattern: `(?i)\\bprefix${String.fromCharCode(97 + at)}-\\d{4,8}\\b`,
    })),
    fields: [{ tool: "*", path: "tool_input.password" }],
    detectors: [...DETECTORS],
    nationalIds: [...ID_COUNTRIES],
  }),
);

function reportOwn(name: string, json: string): boolean {
  const call = { tool_name: "shell" };
  const [own = Number.NaN, builtIn = Number.NaN] = [() => OWN.json(json, "input", call), () => maskText(json)].map(
    (run) => {
      timesOf(run, RUNS / 4);
      return cpuMsOf(() => timesOf(run, RUNS / 2)) / RUNS;
    },
  );
  const ratio = own / builtIn;
  console.log(
    `own masking of ${name}, ${MASK_PATTERNS_MAX} patterns and every detector, of processor time: ${ms(own)}, ` +
      `${ratio.toFixed(1)}x the built-in masking; to hold: ${OWN_RATIO_MAX}x`,
  );
  return ratio < OWN_RATIO_MAX;
}

/** Milliseconds of each of `runs`, after as many that only warm up. */
function timesOf(run: () => unknown, runs: number): number[] {
  for (let warm = 0; warm < runs; warm += 1) run();
  return Array.from({ length: runs }, () => {
    const startedMs = performance.now();
    run();
    return performance.now() - startedMs;
  });
}

/** Processor time: over seconds, the clock tells more about what else runs on the machine. */
function cpuMsOf(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function ordinary(file: string): string {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  return text.repeat(Math.ceil(ORDINARY_BYTES / text.length)).slice(0, ORDINARY_BYTES);
}

function withSecrets(text: string): string {
  const secret = ["gh", "p_", "aZ3".repeat(12)].join("");
  const parts = Array.from({ length: Math.ceil(text.length / SECRET_EVERY) }, (_, at) =>
    text.slice(at * SECRET_EVERY, (at + 1) * SECRET_EVERY),
  );
  return parts.join(` ${secret} `);
}
