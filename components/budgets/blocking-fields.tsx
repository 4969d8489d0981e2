"use client";

import { useWatch } from "react-hook-form";
import { usePermission } from "@/components/access/permission";
import { agentNames, bindingWords } from "@/components/budgets/labels";
import type { BudgetFormState } from "@/components/budgets/target-field";
import { Checkbox } from "@/components/ui/checkbox";
import { FormCheckbox } from "@/components/ui/form";
import { Notice } from "@/components/ui/notice";
import type { BindingView } from "@/server/budgets/schema";

interface BlockingFieldsProps {
  form: BudgetFormState;
  /** Undefined until the server has answered. */
  binding: BindingView | undefined;
}

/** The choice to block calls over the limit, and its effect on the agents. */
export function BlockingFields({ form, binding }: BlockingFieldsProps) {
  const [isHard, rule, addsGuard] = useWatch({ control: form.control, name: ["isHard", "unpriced", "addsGuard"] });
  const unguarded = isHard && binding !== undefined && binding.unbound.count > 0 ? binding.unbound : null;
  const mayPublish = usePermission("policy:publish");
  const isGuardAdded = unguarded !== null && addsGuard && mayPublish.isGranted;
  return (
    <div className="flex flex-col gap-3">
      <FormCheckbox
        form={form}
        name="isHard"
        onToggle={(isOn) => (isOn && rule === "pass" ? form.setValue("unpriced", "count") : undefined)}
        label="Block calls over the limit"
        help="The budget blocks calls of agents whose policy runs the builtin budget_guard on before_llm_call. It only counts the spend of other agents."
      />
      {unguarded === null ? null : mayPublish.isGranted ? (
        <FormCheckbox
          form={form}
          name="addsGuard"
          className="ml-6"
          label={`Add a policy with budget_guard for ${agentNames(unguarded)}`}
          help="If you save, a policy with budget_guard is published and takes effect immediately."
        />
      ) : (
        <Checkbox
          className="ml-6"
          disabled
          checked={false}
          onChange={() => undefined}
          label={`Add a policy with budget_guard for ${agentNames(unguarded)}`}
          help={mayPublish.reason}
        />
      )}
      {isHard && binding ? <Effect binding={isGuardAdded ? withGuard(binding) : binding} /> : null}
    </div>
  );
}

/** The effect once the agents without the guard have it. */
function withGuard({ bound, unbound, unasked }: BindingView): BindingView {
  const names = [...bound.names, ...unbound.names];
  return { bound: { count: bound.count + unbound.count, names }, unbound: { count: 0, names: [] }, unasked };
}

function Effect({ binding }: { binding: BindingView }) {
  return <Notice kind={binding.bound.count === 0 ? "warning" : "info"}>{bindingWords(binding)}</Notice>;
}
