/** The source of the opencode plugin: one file without dependencies, for the runtime that opencode includes. */
import { type EnrolmentOptions, FOR_A_PERSON, headerPath, hookUrl, NO_VERDICT, secondsOf } from "../enrolment.ts";

export function pluginText(options: EnrolmentOptions): string {
  const header = headerPath(options, "~");
  const pathText = (path: string) =>
    path.startsWith("~/") ? `join(homedir(), ${JSON.stringify(path.slice(2))})` : JSON.stringify(path);
  const target = hookUrl({ ...options, url: "" }, "opencode", "");
  return `// Asks Quarterdeck before and after every tool call. Without a verdict, a call or a prompt is blocked.
import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const HOOKS = ${JSON.stringify(hookUrl(options, "opencode", ""))};
const TARGET = ${JSON.stringify(target)};
const HEADER = () => ${pathText(header)};
const ANSWER_KEY = () => ${pathText(header.replace(/header$/, "answer-key"))};
const BYTES_MAX = ${8 * 1024 * 1024};
const BLOCKED = ${JSON.stringify(NO_VERDICT)};
const SECONDS = ${JSON.stringify({ atOnce: secondsOf(""), forAPerson: FOR_A_PERSON })};
${BODY}`;
}

/** Arguments are changed in place: opencode keeps the object that it handed over. */
const BODY = `
/** The version of opencode, which a new session names. A header holds no other text. */
let version;
const versionIn = (text) => (/^[\\w.+-]{1,40}$/.test(text ?? "") ? text : undefined);

const strange = (response, text) =>
  new Error(
    "Quarterdeck: the answer came from something else than the console (HTTP " +
      response.status + ", " + (text ? text.length + " characters" : "no body") + "). This is blocked.",
  );

async function ask(event, input) {
  const { relay, wait } = event === "pre_tool_use" ? SECONDS.forAPerson : SECONDS.atOnce;
  const [name, ...value] = (await readFile(HEADER(), "utf8")).trim().split(":");
  const key = (await readFile(ANSWER_KEY(), "utf8")).trim();
  if (!/^[0-9a-f]{64}$/.test(key)) throw new Error("Quarterdeck: create a new key for this agent. This is blocked.");
  const nonce = "v2" + randomBytes(16).toString("hex");
  const body = JSON.stringify({ hook_event_name: event, ...input });
  const asked = fetch(HOOKS + event, {
    method: "POST",
    headers: {
      [name]: value.join(":").trim(),
      "Content-Type": "application/json",
      "X-Quarterdeck-Client": "opencode",
      ...(version && { "Quarterdeck-Client-Version": version }),
      "Quarterdeck-Wait-Seconds": String(wait),
      "Quarterdeck-Nonce": nonce,
    },
    body,
    redirect: "error",
  });
  return within(relay, asked.then((response) => checked(response, { key, nonce, body, event, wait })));
}

/** A timer of our own: a signal that fetch holds weakly can be collected, and then ends nothing. */
function within(seconds, answer) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("Quarterdeck did not answer in time.")), seconds * 1000);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Only what the console signed for this question is an answer. */
async function checked(response, { key, nonce, body, event, wait }) {
  const { status, headers } = response;
  if (Number(headers.get("content-length")) > BYTES_MAX) throw strange(response, "");
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
  const sum = createHash("sha256").update(body).digest("hex");
  const head = ["quarterdeck answer v1", nonce, TARGET + event, sum, "quarterdeck-wait-seconds: " + wait, status, ""].join("\\n");
  const mac = createHmac("sha256", key).update(head).update(text).digest("hex");
  const isOurs = headers.get("quarterdeck-nonce") === nonce && headers.get("quarterdeck-answer-mac") === mac;
  const isJson = /^application[/]json *(;[^,]*)?$/i.test(headers.get("content-type") ?? "");
  if (!isOurs || status !== 200 || !isJson || headers.has("content-encoding") || text.length > BYTES_MAX) throw strange(response, text);
  const answer = text.startsWith("{") ? JSON.parse(text) : null;
  if (answer === null || "error" in answer) throw strange(response, text);
  return { ...answer, own: answer.hook_specific_output ?? {} };
}

const blocked = (error) => (String(error?.message).startsWith("Quarterdeck:") ? error : new Error(BLOCKED));
const gate = (event, input) =>
  ask(event, input).catch((error) => {
    throw blocked(error);
  });
const report = (event, input) => ask(event, input).catch(() => ({ own: {} }));

function textOf(result) {
  if (typeof result?.output === "string") return result.output;
  const blocks = Array.isArray(result?.content) ? result.content : [];
  const texts = blocks.filter((block) => block?.type === "text").map((block) => block.text);
  return texts.length > 0 ? texts.join("\\n") : JSON.stringify(result ?? null);
}

export const Quarterdeck = async ({ directory }) => {
  const session = (id) => ({ session_id: id, cwd: directory });
  const call = ({ tool, sessionID, callID }, args) => ({
    ...session(sessionID),
    tool_name: tool,
    tool_use_id: callID,
    tool_input: args ?? {},
  });
  return {
    "tool.execute.before": async (input, output) => {
      const { own } = await gate("pre_tool_use", call(input, output.args));
      if (own.permission_decision === "deny") throw new Error(own.permission_decision_reason || BLOCKED);
      if (own.updated_input === undefined) return;
      if (own.updated_input === null || typeof own.updated_input !== "object") throw new Error(BLOCKED);
      for (const key of Object.keys(output.args)) delete output.args[key];
      Object.assign(output.args, own.updated_input);
    },
    "tool.execute.after": async (input, output) => {
      const response = { ...call(input, input.args), tool_response: textOf(output) };
      const { own } = await report("post_tool_use", response);
      const text = own.updated_tool_response;
      if (typeof text !== "string") return;
      if (typeof output.output === "string") output.output = text;
      else {
        output.content = [{ type: "text", text }];
        delete output.structuredContent;
      }
    },
    "chat.message": async (input, output) => {
      const parts = output.parts.filter((part) => part.type === "text").map((part) => part.text);
      const model = output.message?.model;
      const answer = await gate("user_prompt_submit", {
        ...session(input.sessionID),
        ...(model && { model_id: model.providerID + "/" + model.modelID }),
        prompt: parts.join("\\n"),
      });
      if (answer.decision === "block") throw new Error(answer.reason || BLOCKED);
    },
    event: async ({ event: { type, properties } }) => {
      const own = session(properties?.sessionID);
      const notify = (text) => report("notification", { ...own, notification_level: "info", notification_message: text });
      if (type === "session.created") {
        const { id, parentID, version: stated } = properties.info ?? {};
        version = versionIn(stated) ?? version;
        await report("session_start", { ...session(id), parent_session_id: parentID, source: "startup" });
      }
      if (type === "session.idle") await report("stop", own);
      if (type === "permission.asked") await report("on_user_input", own);
      if (type === "permission.replied") await notify("permission: " + properties.reply);
      if (type === "file.edited") await notify("file edited: " + properties.file);
    },
  };
};
`;
