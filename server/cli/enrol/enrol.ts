/** The verb `enrol`: shows what would change in a client's files, then changes it; or takes it back. */
import { createTwoFilesPatch } from "diff";
import { splitAgentKey } from "../../platform/answer-mac.ts";
import { Refusal } from "../refusal.ts";
import { checkInForce, installedForm } from "./client-release.ts";
import { commitPlan } from "./commit.ts";
import { findOpenssl } from "./find-openssl.ts";
import { type Plan, planEnrolment, planRemoval, type Step } from "./plan.ts";
import type { ProcessContext } from "./process-context.ts";
import { type EnrolmentRecord, readRecord } from "./record.ts";
import { type EnrolOptions, enrolmentTarget, type Target } from "./target.ts";
import { findKey, findReceiver } from "./telemetry.ts";

/** A removal needs the paths of every file, also that of the key. */
const ANY_KEY = `qd_${"0".repeat(43)}_${"0".repeat(64)}`;

export async function enrol(client: string, options: EnrolOptions, context: ProcessContext): Promise<void> {
  const isRemoval = options.remove === true;
  if (!isRemoval) refuseWindows(context);
  const say = (sentence: string) => context.writeError(`quarterdeck: ${sentence}\n`);
  const hasOpenssl = await findOpenssl(context.environment.PATH, options.root);
  const { target, notes } = isRemoval
    ? {
        target: enrolmentTarget(client, { ...options, telemetry: true }, withKey(context, ANY_KEY), {
          hasOpenssl,
          version: null,
        }),
        notes: [],
      }
    : await targetOf(client, options, context, hasOpenssl);
  const record = await readRecord(target.recordRoot, target.recordFolder);
  const plan = await (isRemoval ? planRemoval : planEnrolment)(target, record);
  context.writeOutput(plan.steps.map(diffOf).join(""));
  for (const note of [...notes, ...plan.notes]) say(note);
  if (options.dryRun === true) return say(`${counted(plan.steps)} would change; nothing was written.`);
  if (!isRemoval && plan.missingKey !== null)
    throw new Refusal(`${plan.missingKey} Set QUARTERDECK_KEY to the agent's key, then enrol again.`);
  if (!isRemoval) refuseOldKey(target);
  const isUnchanged = plan.steps.length === 0 && JSON.stringify(plan.record) === JSON.stringify(record);
  if (!isUnchanged) await commitPlan(target, plan, record);
  if (!isRemoval) for (const note of await checkInForce(target, context)) say(note);
  if (isUnchanged)
    return say(`Nothing to do: ${target.title} is ${isRemoval ? "not enrolled" : "enrolled as it should be"}.`);
  say(
    isRemoval
      ? `${target.title} is no longer enrolled; ${counted(plan.steps)} changed.`
      : welcome(target, plan, record),
  );
}

/** A hook that cannot start is passed over by most clients: every gate would be open. */
export function refuseWindows({ platform }: ProcessContext): void {
  if (platform !== "win32") return;
  throw new Refusal(
    "Hooks are enrolled as commands of a POSIX shell, which clients on native Windows do not run, so nothing was written. Run the client in WSL and enrol it there.",
  );
}

/** Telemetry settings hold the key, so an existing key is read; settings for another receiver are not changed. */
async function targetOf(client: string, options: EnrolOptions, context: ProcessContext, hasOpenssl: boolean) {
  const { version, notes } = await installedForm(client, context);
  const machine = { hasOpenssl, version };
  const asked = enrolmentTarget(client, options, context, machine);
  const known = asked.options.key === undefined ? await findKey(asked) : null;
  const target = known === null ? asked : enrolmentTarget(client, options, withKey(context, known), machine);
  const other = await findReceiver(target);
  if (other === null) return { target, notes };
  const without = enrolmentTarget(client, { ...options, telemetry: false }, context, machine);
  return {
    target: without,
    notes: [...notes, `${other} names another receiver of telemetry, so that is left as it is.`],
  };
}

const withKey = (context: ProcessContext, key: string): ProcessContext => ({
  ...context,
  environment: { ...context.environment, QUARTERDECK_KEY: key },
});

/** A relay that checks signatures would deny everything with it. */
function refuseOldKey(target: Target): void {
  const { title, options } = target;
  if (!isChecked(target) || splitAgentKey(options.key ?? "").answerKey !== null) return;
  throw new Refusal(
    `This key is of an older form, with which answers cannot be checked. Create a new key for this agent, set QUARTERDECK_KEY to it, then enrol ${title} again.`,
  );
}

/** The plugin of opencode needs no openssl. */
const isChecked = ({ client, options }: Target): boolean => client === "opencode" || options.hasOpenssl !== false;

function checkedText(target: Target): string {
  if (isChecked(target)) return " The signature of each answer is checked.";
  return " There is no openssl on this machine, so signatures of answers are not checked: install it, then enrol again.";
}

function welcome(target: Target, plan: Plan, before: EnrolmentRecord): string {
  const { title, client, options } = target;
  const kept = [...plan.backups.keys()].length;
  const backups = kept === 0 ? "" : ` What stood there before is kept: --remove puts it back.`;
  const trust =
    client === "codex" && options.scope !== "managed"
      ? " Trust the hooks in Codex with /hooks: before that they do not run."
      : "";
  const group =
    options.scope === "managed" &&
    options.key !== undefined &&
    !Object.keys(before.files).some((path) => path.endsWith("quarterdeck/header"))
      ? " Give /etc/quarterdeck/header and answer-key to the group of the people who run agents (chgrp): no other user reads the key."
      : "";
  return `${title} is enrolled; ${counted(plan.steps)} changed.${checkedText(target)}${backups}${trust}${group}`;
}

function counted(steps: readonly Step[]): string {
  return steps.length === 1 ? "1 file" : `${steps.length} files`;
}

function diffOf({ found, after, mode, isSecret }: Step): string {
  const shown = (text: string | null) =>
    isSecret && text !== null
      ? text.replaceAll(BEARER, "$1(the key, not shown)").replace(ANSWER_KEY, "(the key, not shown)")
      : (text ?? "");
  const before = found.text === null ? "/dev/null" : found.name;
  const heading =
    after !== null && mode !== found.mode
      ? `# ${found.name}: mode ${found.mode === null ? "" : `${octal(found.mode)} to `}${octal(mode)}\n`
      : "";
  // A key that is replaced differs, though its lines are shown alike.
  const isReplaced = isSecret && found.text !== null && after !== null && shown(found.text) === shown(after);
  if (isReplaced && found.text !== after) return `${heading}# ${found.name}: another key, not shown\n`;
  if (found.text === after) return heading;
  const patch = createTwoFilesPatch(before, after === null ? "/dev/null" : found.name, shown(found.text), shown(after));
  return `${heading}${printable(patch.replace(/^=+\n/, ""))}`;
}

const ANSWER_KEY = /^[0-9a-f]{64}$/m;
const BEARER = /(Bearer )[^\s"']+/g;
const octal = (mode: number): string => mode.toString(8).padStart(4, "0");

/** A file may hold characters that move a terminal's cursor. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (sign) => (sign === "\n" || sign === "\t" ? sign : "\uFFFD"));
}
