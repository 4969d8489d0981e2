"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { typedTags } from "@/components/agents/tags-text";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { useTRPC } from "@/components/trpc/client";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import { type AgentView, type SetTags, setTags } from "@/server/agents/schema";

const tagsForm = setTags.extend({ tags: typedTags });

/** The tags of an agent as one line of text. */
export function TagsForm({ agent: { id, tags }, onClose }: { agent: AgentView; onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm(tagsForm, { agentId: id, tags: tags.join(", ") });
  const set = useMutation(trpc.agents.setTags.mutationOptions(orSecondPerson("set_agent_tags", onClose)));
  const submit = async (values: SetTags) => {
    await set.mutateAsync(values);
    toast.success("Tags saved");
    void queries.invalidateQueries({ queryKey: trpc.agents.pathKey() });
    void queries.invalidateQueries({ queryKey: trpc.policies.pathKey() });
    onClose();
  };
  return (
    <Form form={form} className="gap-3 pb-0" onSubmit={submit} action="Save tags" onCancel={onClose}>
      <FormField
        form={form}
        name="tags"
        label="Tags"
        help="Separate tags with commas, such as payments, prod. Policies assigned to a new tag apply to this agent immediately."
      >
        {(field) => <Input {...field} autoComplete="off" />}
      </FormField>
    </Form>
  );
}
