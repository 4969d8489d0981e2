/** The exact prompt for one recorded call, and its approximate cost. Calls no model. */

import { parseTemplate, TemplateSyntaxError } from "@quarterdeck/go-template/syntax/parse";
import {
  type HookInput,
  type Masking,
  type Profile,
  questionOf,
  REDACTED,
  replySchemas,
  WIDEST_PROFILE,
} from "@quarterdeck/hooks";
import { sampleInput } from "@quarterdeck/hooks/contract/input-fields";
import { costAtMost, type Models } from "../judges/index.ts";
import { findMasking } from "../masking/index.ts";
import type { Database } from "../platform/db.ts";
import { inputOf } from "./recorded-calls.ts";
import type { JudgedText, PreviewInput, PreviewView } from "./schema.ts";

/** The one whose templates know every field. */
export const PROFILE: Profile = WIDEST_PROFILE;

const CHARACTERS_A_TOKEN = 4;
const OUTPUT_TOKENS_MAX = 4_096;
const MILLION = 1_000_000n;
const schemaNamed = replySchemas();

/** Errors: `dispatch_not_found`. Errors in the template are part of the result. */
export async function preview(
  { db, models }: { readonly db: Database; readonly models: Pick<Models, "priceOf"> },
  workspaceId: string,
  { event, call, ...text }: PreviewInput,
): Promise<PreviewView> {
  const stored = call ? await inputOf(db.pool, workspaceId, call) : sampleInput(event);
  const input = { ...stored, cwd: stored.cwd || "/", hook_event_name: event };
  const { system, prompt, problem } = await asked(text, input, await findMasking(db.pool, workspaceId));
  const characters = (system?.length ?? 0) + (prompt?.length ?? 0);
  const tokens = Math.ceil(characters / CHARACTERS_A_TOKEN);
  return {
    system,
    prompt,
    problem,
    characters,
    redactions: (prompt ?? "").split(REDACTED).length - 1,
    tokens,
    cost: await costOf(models, workspaceId, text.model, {
      tokens,
      bytes: Buffer.byteLength((system ?? "") + (prompt ?? "")),
    }),
    isSample: call === null,
  };
}

async function asked(
  { template, schema: schemaName }: JudgedText,
  input: HookInput,
  masking: Masking,
): Promise<Pick<PreviewView, "system" | "prompt" | "problem">> {
  const failed = (message: string, line: number | null = null, column: number | null = null) => ({
    system: null,
    prompt: null,
    problem: { message, line, column },
  });
  const schema = schemaNamed(schemaName);
  if (!schema) return failed(`Unknown schema ${JSON.stringify(schemaName)}.`);
  try {
    parseTemplate(template);
    const asking = { prompt: template, schema, input, profile: PROFILE };
    const { system, user } = await questionOf(asking, (text, call) => masking.text(text, call));
    return { system, prompt: user, problem: null };
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return failed(error.message, error.line, error.column);
    return failed(error instanceof Error ? error.message : String(error));
  }
}

async function costOf(
  models: Pick<Models, "priceOf">,
  workspaceId: string,
  model: string,
  { tokens, bytes }: { readonly tokens: number; readonly bytes: number },
): Promise<PreviewView["cost"]> {
  const found = await models.priceOf(workspaceId, model);
  if (!found) return { kind: "unconnected" };
  if (!found.price) return { kind: "unpriced" };
  const question = (BigInt(tokens) * found.price.input + MILLION / 2n) / MILLION;
  return { kind: "priced", question, atMost: costAtMost(found.price, bytes, OUTPUT_TOKENS_MAX) };
}
