/** The labels of the approval sources. */
import type { ApprovalSourceKind } from "@quarterdeck/hooks/contract/approval-sources";

export const approvalSourceLabels: Readonly<
  Record<ApprovalSourceKind, { readonly label: string; readonly says: string }>
> = {
  yolo: {
    label: "Auto-approve mode",
    says: "The session ran in yolo or autonomous mode, so the agent asked no person.",
  },
  rule: {
    label: "Saved rule",
    says: "A permission rule of the session or team, or the session's safety mode, allowed or denied the call.",
  },
  hook: {
    label: "Hook",
    says: "A hook of a policy or of the agent gave the verdict. No question to a model is recorded.",
  },
  judge: {
    label: "Judge",
    says: "A hook that had asked a model gave the verdict, and the agent followed the verdict.",
  },
  person: { label: "Person", says: "The agent asked a person, who answered." },
  nobody: {
    label: "Nobody asked",
    says: "The tool declares itself read-only, the run was canceled, or the agent had no person to ask.",
  },
  unknown: {
    label: "Not known",
    says: "The agent reported no source of the decision, or a source that this console does not know.",
  },
};
