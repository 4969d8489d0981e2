/** Describes a changed `evaluator_policy` or `routing_policy`, outcome by outcome. */
import type { EvaluatorPolicy, RoutingPolicy } from "../evaluator-policies.ts";
import type { FieldChange } from "./field-change.ts";

type Policy<P> = P | null | undefined;
const LOOSEST_FIRST = ["allow", "ask", "deny"];

/** An outcome without its own verdict gets the fallback. */
export function diffEvaluatorPolicy(before: Policy<EvaluatorPolicy>, after: Policy<EvaluatorPolicy>): FieldChange[] {
  const [was, is] = [before?.decisions ?? {}, after?.decisions ?? {}];
  const outcomes = changedKeys(was, is).map((outcome): FieldChange => {
    const [from, to] = [was[outcome] ?? before?.fallback, is[outcome] ?? after?.fallback];
    return change(`\`${outcome}\` means ${verdictWords(is[outcome])} instead of ${verdictWords(was[outcome])}`, {
      mayLoosen: isLooser(from, to),
    });
  });
  const fallback =
    (before?.fallback ?? "") === (after?.fallback ?? "")
      ? []
      : [
          change(
            `without an outcome that counts it answers ${named(after?.fallback)} instead of ${named(before?.fallback)}`,
            {
              mayLoosen: isLooser(before?.fallback, after?.fallback),
            },
          ),
        ];
  return [...outcomes, ...thresholdChange(before, after), ...fallback];
}

export function diffRoutingPolicy(before: Policy<RoutingPolicy>, after: Policy<RoutingPolicy>): FieldChange[] {
  const [was, is] = [before?.routes ?? {}, after?.routes ?? {}];
  const routes = changedKeys(was, is).map((choice) =>
    change(`\`${choice}\` leads to ${named(is[choice])} instead of ${named(was[choice])}`, { mayLoosen: false }),
  );
  return [...routes, ...thresholdChange(before, after)];
}

/** A lower threshold lets an uncertain allow count. A higher one drops an uncertain deny. */
function thresholdChange(
  before: Policy<{ min_probability?: number | null | undefined }>,
  after: Policy<{ min_probability?: number | null | undefined }>,
): FieldChange[] {
  const [was, is] = [before?.min_probability ?? null, after?.min_probability ?? null];
  if (was === is) return [];
  return [
    change(`an outcome counts from probability ${is ?? "unset"} instead of ${was ?? "unset"}`, { mayLoosen: true }),
  ];
}

const change = (says: string, { mayLoosen }: { mayLoosen: boolean }): FieldChange => ({
  kind: "code",
  says,
  ...(mayLoosen && { mayLoosen: true as const }),
});

function changedKeys(was: Readonly<Record<string, string>>, is: Readonly<Record<string, string>>): string[] {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys.filter((key) => was[key] !== is[key]).sort();
}

/** True if `to` is looser than `from`. An unknown verdict (index -1) is the loosest. */
const isLooser = (from: string | null | undefined, to: string | null | undefined): boolean =>
  LOOSEST_FIRST.indexOf(to ?? "") < LOOSEST_FIRST.indexOf(from ?? "");

const named = (value: string | null | undefined): string => (value ? `\`${value}\`` : "nothing");
const verdictWords = (verdict: string | undefined): string =>
  verdict === undefined ? "the fallback" : `\`${verdict}\``;
