/** The tools of the MCP server: three that read, and one that asks people. */
import { setTimeout } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { type Budget, type Denial, type Quarterdeck, QuarterdeckError, type Question } from "@quarterdeck/client";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { z } from "zod";
import { QUESTION_CHARS_MAX } from "../../approvals/question-schema.ts";
import { DENIALS_MAX, DENIALS_USUAL } from "../../decisions/denial-schema.ts";
import { summarizePolicy } from "./policy-summary.ts";

export interface McpWorld {
  readonly quarterdeck: Quarterdeck;
  /** The session of a call that names no session; "" if it is unknown. */
  readonly session: string;
}

/** The limit of concurrent calls: further calls wait. */
const CALLS_MAX = 8;
const ANSWER_CHARS_MAX = 30_000;
/** Clients of the protocol give a call 60 s. */
const WAIT_S_MAX = 50;
const WAIT_S = 30;
const LOOK_EVERY_MS = 2_000;

const READS = { readOnlyHint: true, openWorldHint: false } as const;
const sessionId = z
  .string()
  .max(1_000)
  .optional()
  .describe("Your session's id, where you know it; else what the server was started with.");

export function addTools(server: McpServer, { quarterdeck, session }: McpWorld): void {
  const context: ToolContext = {
    quarterdeck,
    answer: createAnswering(),
    sessionOf(named) {
      const found = named ?? session;
      return found === "" ? {} : { sessionId: found };
    },
  };
  addDenials(server, context);
  addPolicy(server, context);
  addBudgets(server, context);
  addQuestion(server, context);
}

interface ToolContext {
  readonly quarterdeck: Quarterdeck;
  answer(work: () => Promise<Said>): Promise<CallToolResult>;
  sessionOf(named: string | undefined): { readonly sessionId?: string };
}

function addDenials(server: McpServer, { quarterdeck, answer, sessionOf }: ToolContext): void {
  const config = {
    title: "Why was I denied?",
    description:
      "Your latest denied calls of seven days: the rule that denied each, and its words. Without a session, of all your sessions.",
    inputSchema: {
      session_id: sessionId,
      limit: z
        .number()
        .int()
        .min(1)
        .max(DENIALS_MAX)
        .optional()
        .describe(`At most so many; ${DENIALS_USUAL} when absent.`),
    },
    annotations: READS,
  };
  server.registerTool("why_was_i_denied", config, ({ session_id, limit }, { signal }) =>
    answer(async () => {
      const asked = { ...sessionOf(session_id), ...(limit === undefined ? {} : { limit }) };
      const denials = await quarterdeck.denials(asked, signal);
      return { text: denialsText(denials), data: { denials } };
    }),
  );
}

function addPolicy(server: McpServer, { quarterdeck, answer }: ToolContext): void {
  const config = {
    title: "What may I do here?",
    description:
      "The policy in force for you: which events and tools rules are about, and what kind of rules. Narrow it by an event or a tool.",
    inputSchema: {
      event: z.string().max(100).optional().describe("Such as pre_tool_use."),
      tool: z.string().max(1_000).optional().describe("A tool's name, as it is sent to Quarterdeck."),
    },
    annotations: READS,
  };
  server.registerTool("what_may_i_do", config, ({ event, tool }, { signal }) =>
    answer(async () => {
      const policy = await quarterdeck.policy(signal);
      const { revision, policies } = policy;
      return { text: summarizePolicy(policy, { event, tool }), data: { revision, policies } };
    }),
  );
}

function addBudgets(server: McpServer, { quarterdeck, answer, sessionOf }: ToolContext): void {
  const config = {
    title: "How much budget is left?",
    description:
      "The budgets that you spend from, and what is left of each. Those for each session are there where a session is known.",
    inputSchema: { session_id: sessionId },
    annotations: READS,
  };
  server.registerTool("how_much_budget_is_left", config, ({ session_id }, { signal }) =>
    answer(async () => {
      const budgets = await quarterdeck.budgets(sessionOf(session_id), signal);
      return { text: budgetsText(budgets), data: { budgets } };
    }),
  );
}

function addQuestion(server: McpServer, { quarterdeck, answer, sessionOf }: ToolContext): void {
  const config = {
    title: "Ask a person",
    description:
      "Asks the people who watch over you a question that yes or no answers, and waits for a while. The same question again reads the answer. A yes lets no denied call pass by itself.",
    inputSchema: {
      question: z
        .string()
        .trim()
        .min(1)
        .max(QUESTION_CHARS_MAX)
        .describe("The whole question: what you want to do, and why."),
      session_id: sessionId,
      wait_seconds: z.number().int().min(0).max(WAIT_S_MAX).default(WAIT_S),
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
  server.registerTool("ask_a_person", config, ({ question, session_id, wait_seconds }, { signal }) =>
    answer(async () => {
      const ask = () => quarterdeck.ask(question, sessionOf(session_id), signal);
      const asked = await askPatiently(ask, wait_seconds, signal);
      return { text: asked.answer, data: { ...asked } };
    }),
  );
}

/** The question once it is answered, or as it is at the end of the wait. */
async function askPatiently(ask: () => Promise<Question>, seconds: number, signal: AbortSignal): Promise<Question> {
  const endMs = performance.now() + seconds * 1_000;
  let asked = await ask();
  while (asked.state === "open" && performance.now() < endMs) {
    await setTimeout(Math.max(1, Math.min(LOOK_EVERY_MS, endMs - performance.now())), undefined, { signal });
    asked = await ask();
  }
  return asked;
}

interface Said {
  readonly text: string;
  readonly data: Record<string, unknown>;
}

/** Runs a tool within the limit of calls; a failure becomes an answer with the reason. */
function createAnswering() {
  let underWay = 0;
  return async (work: () => Promise<Said>): Promise<CallToolResult> => {
    if (underWay >= CALLS_MAX) return failed(`${CALLS_MAX} calls are under way. Wait for one of them.`);
    underWay += 1;
    try {
      const { text, data } = await work();
      return { content: [{ type: "text", text: truncateText(text, ANSWER_CHARS_MAX) }], structuredContent: data };
    } catch (error) {
      if (error instanceof QuarterdeckError) return failed(error.message);
      throw error;
    } finally {
      underWay -= 1;
    }
  };
}

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: "text", text }] });

function denialsText(denials: readonly Denial[]): string {
  if (denials.length === 0) return "Nothing of yours was denied in the last seven days.";
  return denials.map(denialLine).join("\n");
}

function denialLine({ occurred_at, event, tool, excerpt, policy, revision, rule, words, by }: Denial): string {
  const call = [tool === "" ? event : `${tool} on ${event}`, ...(excerpt === "" ? [] : [`(${excerpt})`])].join(" ");
  const place = policy === null ? "" : ` of policy ${policy}, revision ${revision ?? "unknown"}`;
  const denier = by === "final" ? "your own approvals" : rule === null ? "Quarterdeck" : `the rule "${rule}"${place}`;
  return `- ${occurred_at}: ${call} was denied by ${denier}: ${words === "" ? "no reason given." : words}`;
}

function budgetsText(budgets: readonly Budget[]): string {
  if (budgets.length === 0) return "No budget counts what you spend here.";
  return budgets
    .map(({ name, scope, model, is_hard, amount, left, period, ends_at }) => {
      const of =
        model === null ? (scope === "agent" ? "yours alone" : `of the ${scope.replaceAll("_", "-")}`) : `for ${model}`;
      const until = ends_at === null ? "" : `, until ${ends_at}`;
      const kind = is_hard ? "calls beyond it are refused" : "it is only watched";
      return `- ${name} (${of}): ${left} of ${amount} left in this ${period === "total" ? "budget" : period}${until}; ${kind}.`;
    })
    .join("\n");
}
