import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import type { TextFinding } from "@quarterdeck/hooks/contract/text/text-problems";
import { sentence } from "@/components/policies/check/sentence";
import { counted } from "@/components/policies/labels";
import { Notice } from "@/components/ui/notice";

const WARNINGS_SHOWN = 8;

/** The linter's warnings, repeated before the text is in force. They do not prevent publishing. */
export function PublishRemarks({ findings }: { findings: readonly TextFinding[] }) {
  const warnings = findings.filter(({ severity }) => severity === "warning");
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return <Failing errors={errors} warnings={warnings} />;
  if (warnings.length === 0) return null;
  return (
    <Notice kind="warning" className="items-start">
      <p>{counted(warnings.length, "warning")}. The text can be published all the same:</p>
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

/** The gates that allow when they fail, before anything else that the linter has to say. */
function Failing({ errors, warnings }: { errors: readonly TextFinding[]; warnings: readonly TextFinding[] }) {
  return (
    <>
      <Notice kind="danger" className="items-start">
        <p>
          {counted(errors.length, "gate")} of this text {errors.length === 1 ? "allows" : "allow"} calls when they fail.
          To make failures deny, write <code>profile: "{NEWEST_PROFILE}"</code> above <code>hooks:</code>.
        </p>
        <ul className="list-disc pl-4">
          {errors.map((finding) => (
            <li key={`${finding.line}:${finding.column} ${finding.message}`}>
              line {finding.line}: {sentence(finding.message)}
            </li>
          ))}
        </ul>
      </Notice>
      <PublishRemarks findings={warnings} />
    </>
  );
}
