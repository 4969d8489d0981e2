import { allowingGateOf } from "@quarterdeck/hooks/contract/lint/allowing-gate";
import { isBlockingRule } from "@quarterdeck/hooks/contract/lint/blocking-rules";
import { GATE_ONLY_LABELS } from "@quarterdeck/hooks/contract/lint/rule";
import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import type { TextFinding, TextWait } from "@quarterdeck/hooks/contract/text/text-problems";
import type { ReactNode } from "react";
import { sentence } from "@/components/policies/check/sentence";
import { toleratedText } from "@/components/policies/check/tolerated-text";
import { WaitBars } from "@/components/policies/check/wait-bars";
import { counted } from "@/components/policies/labels";
import { Notice } from "@/components/ui/notice";
import type { ToleratedFailuresView } from "@/server/decisions/rules/tolerated-failures-schema";

const WARNINGS_SHOWN = 8;

interface PublishRemarksProps {
  findings: readonly TextFinding[];
  /** The gates in force that allow when they fail, with how often they did. */
  failures?: ToleratedFailuresView | undefined;
  waits?: readonly TextWait[];
}

/** The linter's findings, repeated before the text is in force. Those that block come first. */
export function PublishRemarks({ findings, failures, waits = [] }: PublishRemarksProps) {
  const blocking = findings.filter(({ rule }) => isBlockingRule(rule));
  if (blocking.length === 0) return <OtherRemarks findings={findings} failures={failures} />;
  return (
    <>
      <OpenGates errors={blocking}>
        {counted(blocking.length, "finding")} {blocking.length === 1 ? "blocks" : "block"} this draft. Fix the text. An
        admin can override with a reason.
      </OpenGates>
      <WaitBars waits={waits} />
      <OtherRemarks findings={findings.filter(({ rule }) => !isBlockingRule(rule))} failures={failures} />
    </>
  );
}

/** The findings that do not prevent publishing. */
function OtherRemarks({ findings, failures }: Omit<PublishRemarksProps, "waits">) {
  const warnings = findings.filter(({ severity }) => severity === "warning");
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return <Failing errors={errors} warnings={warnings} failures={failures} />;
  if (warnings.length === 0) return null;
  return (
    <Notice kind="warning" className="items-start">
      <p>{counted(warnings.length, "warning")}. You can still publish:</p>
      <ul className="list-disc pl-4">
        {warnings.slice(0, WARNINGS_SHOWN).map((finding) => (
          <li key={`${finding.rule} ${finding.line}:${finding.column} ${finding.message}`}>
            line {finding.line}: {sentence(finding.message)}
          </li>
        ))}
        {warnings.length > WARNINGS_SHOWN ? <li>and {warnings.length - WARNINGS_SHOWN} more</li> : null}
      </ul>
    </Notice>
  );
}

interface FailingProps {
  errors: readonly TextFinding[];
  warnings: readonly TextFinding[];
  failures: ToleratedFailuresView | undefined;
}

/** The gates that allow on failure, before the linter's other findings. */
function Failing({ errors, warnings, failures }: FailingProps) {
  const labels = errors.filter(({ rule }) => rule === GATE_ONLY_LABELS);
  const allowing = errors.filter(({ rule }) => rule !== GATE_ONLY_LABELS);
  return (
    <>
      {allowing.length > 0 ? (
        <OpenGates errors={allowing} failures={failures}>
          {counted(allowing.length, "gate")} of this draft {allowing.length === 1 ? "allows" : "allow"} calls when they
          fail. To make failures deny, write <code>profile: "{NEWEST_PROFILE}"</code> above <code>hooks:</code>.
        </OpenGates>
      ) : null}
      {labels.length > 0 ? (
        <OpenGates errors={labels}>
          {counted(labels.length, "gate")} of this draft only {labels.length === 1 ? "labels" : "label"} calls. Add a
          hook with <code>type: rules</code> that denies calls or requires approval.
        </OpenGates>
      ) : null}
      <OtherRemarks findings={warnings} />
    </>
  );
}

interface OpenGatesProps {
  errors: readonly TextFinding[];
  failures?: ToleratedFailuresView | undefined;
  children: ReactNode;
}

function OpenGates({ errors, failures, children }: OpenGatesProps) {
  return (
    <Notice kind="danger" className="items-start">
      <p>{children}</p>
      <ul className="list-disc pl-4">
        {errors.map((finding) => (
          <li key={`${finding.line}:${finding.column} ${finding.message}`}>
            line {finding.line}: {sentence(finding.message)}
            {often(failures, finding)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function often(failures: ToleratedFailuresView | undefined, { message }: TextFinding): string {
  const text = toleratedText(failures, allowingGateOf(message));
  return text === null ? "" : ` ${sentence(`it ${text}`)}`;
}
