/** The differences between a builtin case's expectations and the results, as sentences; empty if the case passes. */
import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { CaseFolders, SeenRequest } from "./builtin-fixture.ts";

/** The results of one step of a case. */
export interface BuiltinCame {
  /** The output of the builtin as JSON; null for nothing. */
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly error?: string;
  readonly opResult?: unknown;
  readonly input: Readonly<Record<string, unknown>>;
  /** The repository's printed state before and after. */
  readonly repository: readonly [string, string];
  /** The file that a large answer was written to, kept across the steps of a case. */
  readonly spilled: { path?: string };
}

type Check = (wanted: unknown, came: BuiltinCame, around: CaseFolders) => string[] | Promise<string[]>;

const INSIDE = [
  "additional_context",
  "updated_tool_response",
  "updated_input",
  "updated_messages",
  "permission_decision_reason",
];
const OUTSIDE = ["reason", "system_message"];
const FIELDS = [
  "decision",
  "reason",
  "continue",
  "stop_reason",
  "system_message",
  "suppress_output",
  "hook_specific_output",
];

/** Every expectation that does not hold. */
export async function builtinDifferences(
  expected: Readonly<Record<string, unknown>>,
  came: BuiltinCame,
  around: CaseFolders,
): Promise<string[]> {
  if (came.error !== undefined && expected.error !== true) return [`it failed: ${came.error}`];
  const found: string[] = [];
  for (const [key, wanted] of Object.entries(expected)) {
    const check = CHECKS[key] ?? targetCheck(key);
    found.push(...(check ? await check(wanted, came, around) : [`unknown expectation "${key}"`]));
  }
  return found;
}

const said = (holds: boolean, what: string, wanted: unknown, got: unknown): string[] =>
  holds ? [] : [`${what}: expected ${short(wanted)}, got ${short(got)}`];

const CHECKS: Readonly<Record<string, Check>> = {
  no_output: (_wanted, { output }) => said(isNothing(output), "no_output", "nothing", output),
  error: (_wanted, { error }) => said(error !== undefined, "error", "an error", "none"),
  absent: (wanted, { output }) =>
    textsIn(wanted).flatMap((path) => {
      const value = path.split(".").reduce<unknown>((at, step) => fieldOf(at, step), output);
      return said(value === undefined || value === null || value === "", `absent ${path}`, "nothing", value);
    }),
  today: (_wanted, { output }) => {
    const now = new Date();
    const two = (part: number) => String(part).padStart(2, "0");
    const today = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
    const text = targetOf("additional_context", output);
    return said(text?.includes(today) === true, "today", today, text);
  },
  http_requests: (wanted, _came, { requests }) => {
    const list = Array.isArray(wanted) ? wanted : [];
    if (list.length !== requests.length) return said(false, "http_requests", list, requests);
    return list.flatMap((one, index) => requestDifferences(one, requests[index]));
  },
  files_exist: async (wanted, _came, { root }) => presence(wanted, root, true),
  files_absent: async (wanted, _came, { root }) => presence(wanted, root, false),
  tmp_files_exist: async (wanted, _came, { tmp }) => presence(wanted, tmp, true),
  tmp_files_absent: async (wanted, _came, { tmp }) => presence(wanted, tmp, false),
  file_contents: async (wanted, _came, { root }) => {
    const found: string[] = [];
    for (const [path, content] of Object.entries(wanted as Record<string, string>)) {
      // holds: the format says path to content
      const actual = await readFile(join(root, path), "utf8").catch(() => undefined);
      found.push(...said(actual === content, `content of ${path}`, content, actual));
    }
    return found;
  },
  spill_file: spillFile,
  spill_file_kept: async (_wanted, { spilled }) =>
    said(await isThere(spilled.path ?? ""), "spill_file_kept", "a file", "none"),
  spill_file_deleted: async (_wanted, { spilled }) =>
    said(spilled.path !== undefined && !(await isThere(spilled.path)), "spill_file_deleted", "no file", spilled.path),
  repo_unchanged: (_wanted, { repository: [before, after] }) => said(before === after, "repo_unchanged", before, after),
  op_result: (wanted, { opResult }) => said(isSubset(wanted, opResult), "op_result", wanted, opResult),
  ...Object.fromEntries(
    FIELDS.map((field): [string, Check] => [
      field,
      (wanted, { output }) => said(isSubset(wanted, output?.[field]), field, wanted, output?.[field]),
    ]),
  ),
};

async function spillFile(wanted: unknown, { output, input, spilled }: BuiltinCame, { tmp }: CaseFolders) {
  const text = targetOf("updated_tool_response", output) ?? "";
  const path = /The full result is available in a file: ([^\n]+)/.exec(text)?.[1];
  if (path === undefined) return said(false, "spill_file", "a path", text);
  spilled.path = path;
  const { equals_tool_response, under_tmp, mode } = wanted as Record<string, unknown>; // holds: the format says an object
  const content = await readFile(path, "utf8").catch(() => undefined);
  const found: string[] = [];
  if (equals_tool_response)
    found.push(...said(content === input.tool_response, "spill_file", "the whole answer", content));
  if (under_tmp) {
    const real = await realpath(path).catch(() => "");
    found.push(...said(real.startsWith(`${await realpath(tmp)}${sep}`), "spill_file", `below ${tmp}`, real));
  }
  if (mode !== undefined && process.platform !== "win32") {
    const bits = (await stat(path).catch(() => undefined))?.mode;
    const octal = bits === undefined ? "none" : (bits & 0o7777).toString(8).padStart(4, "0");
    found.push(...said(octal === mode, "spill_file mode", mode, octal));
  }
  return found;
}

/** `<target>_<relation>` */
function targetCheck(key: string): Check | undefined {
  const target = [...INSIDE, ...OUTSIDE, "output"].find((one) => key.startsWith(`${one}_`));
  const relation = target && RELATIONS[key.slice(target.length + 1)];
  if (!target || !relation) return undefined;
  return (wanted, { output }) => {
    const text = targetOf(target, output);
    return said(text !== undefined && relation(text, wanted), key, wanted, text);
  };
}

const RELATIONS: Readonly<Record<string, (text: string, wanted: unknown) => boolean>> = {
  matches: (text, wanted) => textsIn(wanted).every((pattern) => new RegExp(pattern).test(text)),
  not_matches: (text, wanted) => textsIn(wanted).every((pattern) => !new RegExp(pattern).test(text)),
  equals: (text, wanted) => text === wanted,
  contains: (text, wanted) => textsIn(wanted).every((part) => text.includes(part)),
  lacks: (text, wanted) => textsIn(wanted).every((part) => !text.includes(part)),
  bytes: (text, wanted) => Buffer.byteLength(text) === wanted,
  max_bytes: (text, wanted) => Buffer.byteLength(text) <= Number(wanted),
};

function targetOf(target: string, output: BuiltinCame["output"]): string | undefined {
  const value =
    target === "output"
      ? output
      : INSIDE.includes(target)
        ? fieldOf(output?.hook_specific_output, target)
        : output?.[target];
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function requestDifferences(wanted: unknown, got: SeenRequest | undefined): string[] {
  const { method, path, json, content_type_matches } = wanted as Record<string, unknown>; // holds: the format says an object
  return [
    ...(method === undefined ? [] : said(got?.method === method, "method", method, got?.method)),
    ...(path === undefined ? [] : said(got?.path === path, "path", path, got?.path)),
    ...(json === undefined ? [] : said(isDeepStrictEqual(parsed(got?.body), json), "body", json, got?.body)),
    ...(content_type_matches === undefined
      ? []
      : said(
          new RegExp(String(content_type_matches)).test(got?.contentType ?? ""),
          "type",
          content_type_matches,
          got?.contentType,
        )),
  ];
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

async function presence(wanted: unknown, dir: string, isWanted: boolean): Promise<string[]> {
  const found = await Promise.all(
    textsIn(wanted).map(async (path) => said((await isThere(join(dir, path))) === isWanted, path, isWanted, !isWanted)),
  );
  return found.flat();
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

function isNothing(output: BuiltinCame["output"]): boolean {
  return output === null || Object.keys(output).length === 0;
}

function isSubset(wanted: unknown, got: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(got) && got.length === wanted.length && wanted.every((item, index) => isSubset(item, got[index]))
    );
  }
  if (typeof wanted !== "object" || wanted === null) return Object.is(wanted, got);
  return Object.entries(wanted).every(([key, value]) => isSubset(value, fieldOf(got, key)));
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function textsIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
