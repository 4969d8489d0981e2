/** The tasks for large inputs of agents, done on a worker thread (read-input.ts). Each takes and returns plain data. */

import { createMasking, HIDING_MASKING, type MaskHits, type Masking, maskText } from "@quarterdeck/hooks";
import { parseExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { HookInput } from "@quarterdeck/hooks/contract/input";
import { isEmptyMasking, type MaskingSetting } from "@quarterdeck/hooks/contract/masking-setting";
import { checkShape, DEPTH_MAX, parseInputJson, parseJson } from "../access/json-text.ts";
import { AppError, type AppErrorOptions } from "../errors/app-error.ts";
import type { ErrorCode } from "../errors/catalogue.ts";
import { elementSources } from "../recording/index.ts";
import type { HiddenInput, OwnMasked, ReportRequest } from "./dispatch-request.ts";
import { openLocalEnvelope } from "./merge-local-result.ts";
import { parseHookInput } from "./parse-hook-input.ts";
import { readReportLine } from "./read-report-line.ts";
import { requireSingleKeys } from "./require-single-keys.ts";
import type { LocalExecutorResult } from "./schema.ts";

export interface ReadInput {
  readonly text: string;
  readonly input: HookInput;
  readonly local?: LocalExecutorResult;
  /** Absent if the input is not masked yet. */
  readonly hidden?: HiddenInput;
}

export interface Body {
  readonly body: string;
  readonly isEnveloped: boolean;
}

/** The input in a dispatch's body. Errors: what `parseJson` and `parseHookInput` refuse. */
export function readInput({ body, isEnveloped }: Body): ReadInput {
  const { text, local } = isEnveloped ? openLocalEnvelope(body, DEPTH_MAX) : { text: body, local: undefined };
  const input = parseHookInput(parseInputJson(text), local && "/input");
  requireSingleKeys(text);
  return { text, input, ...(local && { local }) };
}

/**
 * The same for an input that the server composed of parsed values, with `text` as its print; null if the text would be
 * read as something else. A printed object has no key twice. Errors: those of `readInput`.
 */
export function readComposed(input: HookInput, text: string): ReadInput | null {
  checkShape(text, DEPTH_MAX);
  return isReadAsPrinted(input) ? { text, input: parseHookInput(input) } : null;
}

/** True for a value that is read back as it is. Its depth is bounded. */
function isReadAsPrinted(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object" || value === null)
    return typeof value === "string" || typeof value === "boolean" || value === null;
  if (Array.isArray(value)) return value.every(isReadAsPrinted);
  for (const key in value) if (!isReadAsPrinted(Reflect.get(value, key))) return false;
  return true;
}

export function read(asked: Body): ReadInput {
  const found = readInput(asked);
  return { ...found, hidden: hiddenOf(found.text) };
}

function hiddenOf(text: string): HiddenInput {
  const masked = maskText(text);
  // Holds: masking keeps JSON the JSON it was, and the input's shape.
  return masked === text ? null : { text: masked, input: parseExactJson(masked) as HookInput };
}

export interface LargeInput {
  /** An input that was read and has an object's form. */
  readonly text: string;
  /** One without rules hides every text. */
  readonly setting: MaskingSetting;
  /** True if the workspace stores secrets now: only its own masking applies. */
  readonly isRaw: boolean;
}

/** The setting that was compiled last: most large inputs in a row belong to one workspace. */
let compiled: { readonly key: string; readonly masking: Masking } | undefined;

/** The input by the workspace's masking. */
export function maskInput({ text, setting, isRaw }: LargeInput): OwnMasked {
  const key = JSON.stringify(setting);
  if (compiled?.key !== key)
    compiled = { key, masking: isEmptyMasking(setting) ? HIDING_MASKING : createMasking(setting) };
  const { masking } = compiled;
  const hits: MaskHits = new Map();
  // Holds: the text was read as an input.
  const input = parseExactJson(text) as HookInput;
  const masked = (isRaw ? masking.ownOnly : masking).json(text, "input", input, hits);
  // Also where this changes nothing: the text may have lost its secrets before.
  return {
    hidden: { text: masked, input: masked === text ? input : (parseExactJson(masked) as HookInput) },
    hits: [...hits],
  };
}

export type ReadLine =
  | { readonly kind: "event"; readonly request: ReportRequest }
  | {
      readonly kind: "refused";
      readonly eventId: string | null;
      readonly failure: {
        readonly code: ErrorCode;
        readonly detail: string | undefined;
        readonly options: AppErrorOptions;
      };
    };

/** A report's line, with a refusal as plain data. */
export function line({ text, nowMs }: { readonly text: string; readonly nowMs: number }): ReadLine {
  const found = readReportLine(text, nowMs);
  if (found.kind === "event") return { ...found, request: { ...found.request, hidden: hiddenOf(found.request.text) } };
  const { code, detail, options } = found.failure;
  const { says, pointer } = options;
  const kept = { ...(says !== undefined && { says }), ...(pointer !== undefined && { pointer }) };
  return { kind: "refused", eventId: found.eventId, failure: { code, detail, options: kept } };
}

/** Deeper than any event may be: each is measured by itself, this only keeps the parser from folly. */
const REPORT_DEPTH_MAX = 1_000;

/** The texts of a JSON report's events. Errors: those of `parseJson`; `invalid_input` if it is not an array. */
export function elements(text: string): readonly string[] {
  if (Array.isArray(parseJson(text, REPORT_DEPTH_MAX, Number.POSITIVE_INFINITY))) return elementSources(text);
  const says = "A report is a JSON array of events; send single lines as application/x-ndjson.";
  throw new AppError("invalid_input", undefined, { says, pointer: "" });
}
