"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { PermittedButton } from "@/components/access/permitted-button";
import { TopicLink } from "@/components/layout/help/topic-link";
import { Loaded } from "@/components/settings/loaded";
import { useTRPC } from "@/components/trpc/client";
import { Form, FormCheckbox, FormField, useForm } from "@/components/ui/form";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import {
  injectionMin,
  type PublishRequirementsView,
  publishRequirements,
} from "@/server/policies/publishing/requirements-schema";

/** The requirements for each text that takes effect. */
export function PublishingTab() {
  const trpc = useTRPC();
  const requirements = useQuery(trpc.policies.requirements.queryOptions());
  return (
    <Loaded query={requirements} what="The publish requirements">
      {(view) => <RequirementsForm key={view.setAt?.getTime() ?? 0} view={view} />}
    </Loaded>
  );
}

const limit = z
  .string()
  .trim()
  .regex(/^\d{0,7}$/, "Enter a whole number, or leave the field empty.")
  .transform((value) => (value === "" ? null : Number(value)));
const requirementsForm = publishRequirements.extend({
  newDenialsMax: limit.pipe(publishRequirements.shape.newDenialsMax),
  injectionMin: limit.pipe(injectionMin),
});
type Requirements = z.output<typeof requirementsForm>;

function RequirementsForm({ view }: { view: PublishRequirementsView }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { needsBacktest, needsReview, needsPassingCases, newDenialsMax, setBy, setAt } = view;
  const form = useForm(requirementsForm, {
    ...{ needsBacktest, needsReview, needsPassingCases },
    newDenialsMax: newDenialsMax === null ? "" : String(newDenialsMax),
    injectionMin: view.injectionMin === null ? "" : String(view.injectionMin),
  });
  const save = useMutation(
    trpc.policies.setRequirements.mutationOptions({
      onSuccess: () => {
        toast.success("Publish requirements saved");
        return queries.invalidateQueries({ queryKey: trpc.policies.requirements.queryKey() });
      },
    }),
  );
  return (
    <Section title="Publish requirements" aside={<TopicLink topic="publishRequirements" />} framed>
      <Form
        form={form}
        className="max-w-160"
        onSubmit={(values: Requirements) => save.mutateAsync(values)}
        foot={
          <PermittedButton
            to="policy:govern"
            type="submit"
            variant="primary"
            busy={form.formState.isSubmitting}
            className="self-start"
          >
            Save requirements
          </PermittedButton>
        }
      >
        <p className="text-muted">
          A policy revision takes effect only if it meets these requirements. They apply to publication, rollback,
          canary and promotion. Revisions in force stay in force.
        </p>
        <FormCheckbox
          form={form}
          name="needsBacktest"
          label="A finished backtest of exactly the version to publish"
          help="If another policy changes after the backtest, run the backtest again before you publish."
        />
        <FormCheckbox
          form={form}
          name="needsReview"
          label="Each call with a less strict or unknown outcome is reviewed"
          help="A person must mark the backtest as reviewed. Where a second approver is required, the reviewer must not have edited the policy. With this setting, a second person must also approve fewer assignments, monitor mode and the removal of the policy."
        />
        <FormCheckbox
          form={form}
          name="needsPassingCases"
          label="All test cases must pass"
          help="Failing test cases cannot be overridden with a reason."
        />
        <FormField
          form={form}
          name="newDenialsMax"
          label="Maximum new denials on any day of the backtest"
          help="Empty: no limit."
        >
          {(field) => <Input {...field} inputMode="numeric" autoComplete="off" className="max-w-40" />}
        </FormField>
        <FormField
          form={form}
          name="injectionMin"
          label="Injection tests that each judge must pass, percent"
          help="Empty: no score is required. A judge without a finished injection test has no score."
        >
          {(field) => <Input {...field} inputMode="numeric" autoComplete="off" className="max-w-40" />}
        </FormField>
        {setBy && setAt ? (
          <p className="text-faint text-sm">
            Set by {setBy}, <RelativeTime at={setAt} />.
          </p>
        ) : null}
      </Form>
    </Section>
  );
}
