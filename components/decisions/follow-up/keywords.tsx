"use client";

import { useMutation } from "@tanstack/react-query";
import { X } from "lucide-react";
import { z } from "zod";
import { usePermission } from "@/components/access/permission";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Form, FormField, useForm } from "@/components/ui/form";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import { KEYWORD_CHARS_MAX, keyword } from "@/server/follow-ups/schema";
import type { EventKey } from "@/server/recording/event-key-schema";

export const keywordForm = z.object({ name: keyword });

interface KeywordsProps {
  call: EventKey;
  keywords: readonly string[];
}

/** The keywords of a call, each with its removal, and a field for one more. */
export function Keywords({ call, keywords }: KeywordsProps) {
  const trpc = useTRPC();
  const { isGranted } = usePermission("call:follow-up");
  const form = useForm(keywordForm, { name: "" });
  const set = useMutation(trpc.followUps.setKeyword.mutationOptions());
  const remove = useMutation(
    trpc.followUps.setKeyword.mutationOptions({
      onError: (error) => toast.error("The keyword could not be removed", { description: failureSentence(error) }),
    }),
  );
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      {keywords.length === 0 ? null : (
        <ul aria-label="Keywords" className="flex min-w-0 flex-wrap gap-1.5">
          {keywords.map((name) => (
            <li key={name} className="flex min-w-0 items-center">
              <Badge>{name}</Badge>
              {isGranted ? (
                <IconButton
                  icon={X}
                  size="sm"
                  label={`Remove the keyword ${name}`}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate({ calls: [call], name, isSet: false })}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {isGranted ? (
        <Form
          form={form}
          onSubmit={async ({ name }) => {
            await set.mutateAsync({ calls: [call], name, isSet: true });
            form.reset();
          }}
          className="flex-row items-end gap-2"
          foot={
            <Button type="submit" busy={form.formState.isSubmitting} className="h-8 max-sm:h-10">
              Add
            </Button>
          }
        >
          <FormField form={form} name="name" label={<span className="sr-only">New keyword</span>}>
            {(field) => <Input {...field} placeholder="Keyword" maxLength={KEYWORD_CHARS_MAX} className="w-36" />}
          </FormField>
        </Form>
      ) : null}
    </div>
  );
}
