"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { forAccessDays } from "@/components/access/access-days";
import { callAccount } from "@/components/access/account-call";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { Spinner } from "@/components/ui/spinner";
import {
  type AcceptInvitation as AcceptInvitationInput,
  acceptInvitation,
  type OpenInvitationView,
} from "@/server/people/schema";

/** The page that an invitation link opens: create an account, or join with the account of that address. */
export function AcceptInvitation({ token }: { token: string }) {
  const trpc = useTRPC();
  const invitation = useQuery({ ...trpc.access.openInvitation.queryOptions({ token }), retry: false });
  if (invitation.isPending)
    return (
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner /> Checking your invitation…
      </p>
    );
  if (invitation.error)
    return <ErrorState compact title="Invitation not valid" reason={failureSentence(invitation.error)} />;
  return <Accepting token={token} invitation={invitation.data} />;
}

function Accepting({ token, invitation }: { token: string; invitation: OpenInvitationView }) {
  const trpc = useTRPC();
  const accept = useMutation(trpc.access.acceptInvitation.mutationOptions());
  const { workspace, email, role, accessDays, joinBy } = invitation;
  const hasForm = joinBy === "account" || joinBy === "new_password";
  const form = useForm(acceptInvitation, { token, ...(hasForm ? { account: { name: "", password: "" } } : {}) });
  const submit = async (values: AcceptInvitationInput) => {
    await accept.mutateAsync(values);
    // The token is used up. It must not stay in the address bar while the console loads.
    window.history.replaceState(null, "", "/invite");
    if (values.account) await callAccount("/sign-in/email", { email, password: values.account.password });
    window.location.replace("/");
  };
  return (
    <Form
      form={form}
      onSubmit={submit}
      foot={
        joinBy === "sign_in" ? null : (
          <Button type="submit" variant="primary" size="lg" busy={form.formState.isSubmitting} className="self-start">
            Join
          </Button>
        )
      }
    >
      <h1 className="text-lg">Join {workspace}</h1>
      <p className="text-muted">
        You are invited as <strong className="font-semibold text-text">{role}</strong>
        {forAccessDays(accessDays)}, with the e-mail address {email}.
      </p>
      {joinBy === "session" ? <p className="text-muted">You are signed in with this e-mail address.</p> : null}
      {joinBy === "sign_in" ? (
        <p className="text-muted">
          An account with this e-mail address already exists. <SignInFirst token={token} />, then join.
        </p>
      ) : null}
      {joinBy === "new_password" ? (
        <p className="text-muted">
          This address has an account, but the address was never verified. This link verifies it. Choose a new password:
          the old password and any second factor are removed, and all other browsers are signed out.
        </p>
      ) : null}
      {hasForm ? (
        <>
          <FormField form={form} name="account.name" label="Your name">
            {(field) => <Input {...field} autoFocus autoComplete="name" maxLength={80} />}
          </FormField>
          <FormField
            form={form}
            name="account.password"
            label="Password"
            help="The password needs at least 12 characters."
          >
            {(field) => <Input {...field} type="password" autoComplete="new-password" />}
          </FormField>
          {joinBy === "account" ? (
            <p className="text-muted text-sm">
              Already have an account with this e-mail address? <SignInFirst token={token} />, then open this invitation
              again.
            </p>
          ) : null}
        </>
      ) : null}
    </Form>
  );
}

/** Leads to the sign-in page, and from there back to the invitation. */
function SignInFirst({ token }: { token: string }) {
  const back = encodeURIComponent(`/invite?token=${encodeURIComponent(token)}`);
  return (
    <Link href={`/sign-in?next=${back}`} className="underline">
      Sign in
    </Link>
  );
}
