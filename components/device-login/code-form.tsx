"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { type ByUserCode, byUserCode, type WaitingLogin } from "@/server/device-login/schema";

/** The field for the code that `quarterdeck login` prints. */
export function CodeForm({ onFound }: { onFound: (login: WaitingLogin) => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm(byUserCode, { userCode: "" });
  const submit = async (input: ByUserCode) => {
    onFound(await queries.fetchQuery({ ...trpc.deviceLogin.find.queryOptions(input), staleTime: 0, gcTime: 0 }));
  };
  const button = (
    <Button type="submit" variant="primary" className="self-start" busy={form.formState.isSubmitting}>
      Continue
    </Button>
  );
  return (
    <Section title="Enter the code of your computer">
      <p className="text-muted text-sm">
        Run <code>quarterdeck login</code> on your computer, and enter the code that it prints. Its agent then works for
        you: its calls and spend are recorded under your name.
      </p>
      <p className="text-muted text-sm">
        Enter a code only from your own screen. A person who sends you a code wants their calls recorded under your
        name.
      </p>
      <Form form={form} onSubmit={submit} foot={button} className="max-w-80 pt-2">
        <FormField form={form} name="userCode" label="Code" help="Eight letters. It works once, for 10 minutes.">
          {(field) => (
            <Input
              {...field}
              mono
              maxLength={20}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              placeholder="BCDF-GHJK"
            />
          )}
        </FormField>
      </Form>
    </Section>
  );
}
