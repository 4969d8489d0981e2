"use client";

import { FileCode, FlaskConical, MessagesSquare } from "lucide-react";
import { useCommands } from "@/components/layout/commands";
import type { PolicyStudio } from "@/components/policies/page/use-policy-studio";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";

/** The shortcuts of a policy's page and its entries in the command palette. */
export function usePolicyCommands({
  isTrying,
  bench,
  save,
  review,
  openBench,
  dialog,
  newCase,
  setDialog,
}: PolicyStudio) {
  useHotkey("mod+s", save, { label: "Save the draft", group: "This policy", anywhere: true });
  useHotkey("mod+enter", isTrying ? bench.run : review, {
    label: isTrying ? "Run the draft in the playground" : "Review and publish",
    group: "This policy",
    anywhere: true,
    enabled: dialog === null && newCase === null,
  });
  useCommands([
    { id: "policy.publish", label: "Review and publish this policy", icon: FileCode, keys: "mod+enter", run: review },
    {
      id: "policy.review",
      label: "Send this policy for review",
      icon: MessagesSquare,
      run: () => setDialog("send"),
    },
    { id: "policy.save", label: "Save the draft", icon: FileCode, keys: "mod+s", run: save },
    { id: "policy.try", label: "Try this policy in the playground", icon: FlaskConical, run: openBench },
    {
      id: "policy.applies",
      label: "Change this policy's assignment",
      icon: FileCode,
      run: () => setDialog("applies"),
    },
  ]);
}
