/** The linter's rules by importance: ineffective guards, then lost output, then improvements. */
import type { Rule } from "./rule.ts";
import { allowTooBroad } from "./rules/allow-too-broad.ts";
import { builtinWrongEvent } from "./rules/builtin-wrong-event.ts";
import { clientAnswersStricter } from "./rules/client-answers-stricter.ts";
import { clientIgnoresAnswer } from "./rules/client-ignores-answer.ts";
import { clientNeverSendsEvent } from "./rules/client-never-sends-event.ts";
import { commandBashism } from "./rules/command-bashism.ts";
import { commandUnquotedInput } from "./rules/command-unquoted-input.ts";
import { exit2WithJson } from "./rules/exit-2-with-json.ts";
import { fieldWithoutEffect } from "./rules/field-without-effect.ts";
import { fileNotOnServer } from "./rules/file-not-on-server.ts";
import { gateAllowsOnFailure } from "./rules/gate-allows-on-failure.ts";
import { gateFailsOpen } from "./rules/gate-fails-open.ts";
import { gateLongerThanCaller } from "./rules/gate-longer-than-caller.ts";
import { gateOnlyLabels } from "./rules/gate-only-labels.ts";
import { gateSkippedUnderYolo } from "./rules/gate-skipped-under-yolo.ts";
import { hookDuplicated } from "./rules/hook-duplicated.ts";
import { inputNotInEnvironment } from "./rules/input-not-in-environment.ts";
import { judgeArgumentsUnfenced } from "./rules/judge-arguments-unfenced.ts";
import { judgeFenceOpen } from "./rules/judge-fence-open.ts";
import { judgeRevisionBehind } from "./rules/judge-revision-behind.ts";
import { judgeTextDiffers } from "./rules/judge-text-differs.ts";
import { judgeWithoutFilter } from "./rules/judge-without-filter.ts";
import { matcherDuplicated } from "./rules/matcher-duplicated.ts";
import { matcherEmpty } from "./rules/matcher-empty.ts";
import { matcherLooksLikeGlob } from "./rules/matcher-looks-like-glob.ts";
import { matcherMatchesNothingSeen } from "./rules/matcher-matches-nothing-seen.ts";
import { matcherMissesClient } from "./rules/matcher-misses-client.ts";
import { matcherShadowed } from "./rules/matcher-shadowed.ts";
import { matcherWithBlanks } from "./rules/matcher-with-blanks.ts";
import { networkNotGranted } from "./rules/network-not-granted.ts";
import { onErrorWithoutEffect } from "./rules/on-error-without-effect.ts";
import { outputIgnored } from "./rules/output-ignored.ts";
import { profileDifference } from "./rules/profile-difference.ts";
import { repeatRuleWithoutEffect } from "./rules/repeat-rule-without-effect.ts";
import { ruleAskIgnored } from "./rules/rule-ask-ignored.ts";
import { ruleMatchesEveryCall } from "./rules/rule-matches-every-call.ts";
import { ruleNeverMatches } from "./rules/rule-never-matches.ts";
import { ruleShadowed } from "./rules/rule-shadowed.ts";
import { ruleWithoutEffect } from "./rules/rule-without-effect.ts";
import { secretInText } from "./rules/secret-in-text.ts";
import { timeoutLongerThanCaller } from "./rules/timeout-longer-than-caller.ts";
import { ungrantableWithoutEffect } from "./rules/ungrantable-without-effect.ts";
import { vetoHitsOverflow } from "./rules/veto-hits-overflow.ts";

export const LINT_RULES: readonly Rule[] = [
  gateAllowsOnFailure,
  gateOnlyLabels,
  gateLongerThanCaller,
  vetoHitsOverflow,
  matcherMatchesNothingSeen,
  matcherMissesClient,
  matcherLooksLikeGlob,
  matcherWithBlanks,
  matcherEmpty,
  matcherShadowed,
  matcherDuplicated,
  hookDuplicated,
  ruleNeverMatches,
  ruleWithoutEffect,
  ruleMatchesEveryCall,
  ruleAskIgnored,
  ruleShadowed,
  allowTooBroad,
  gateSkippedUnderYolo,
  gateFailsOpen,
  outputIgnored,
  clientIgnoresAnswer,
  clientNeverSendsEvent,
  exit2WithJson,
  builtinWrongEvent,
  fileNotOnServer,
  networkNotGranted,
  inputNotInEnvironment,
  commandBashism,
  commandUnquotedInput,
  secretInText,
  judgeArgumentsUnfenced,
  judgeFenceOpen,
  timeoutLongerThanCaller,
  onErrorWithoutEffect,
  fieldWithoutEffect,
  ungrantableWithoutEffect,
  repeatRuleWithoutEffect,
  judgeTextDiffers,
  judgeRevisionBehind,
  judgeWithoutFilter,
  clientAnswersStricter,
  profileDifference,
];
