"use client";

import { useState } from "react";
import { CodeForm } from "@/components/device-login/code-form";
import { ConfirmLogin, type LoginAnswer } from "@/components/device-login/confirm-login";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import type { WaitingLogin } from "@/server/device-login/schema";

type Step = { readonly login: WaitingLogin } | { readonly answer: LoginAnswer } | null;

/** A signed-in person enters the code of their own computer, compares who asks, and confirms or refuses. */
export function DeviceLoginPage() {
  const [step, setStep] = useState<Step>(null);
  const restart = () => setStep(null);
  return (
    <>
      <PageHeader />
      <PageBody className="max-w-180">
        {step === null ? (
          <CodeForm onFound={(login) => setStep({ login })} />
        ) : "login" in step ? (
          <ConfirmLogin login={step.login} onAnswer={(answer) => setStep({ answer })} onBack={restart} />
        ) : (
          <Answered answer={step.answer} onRestart={restart} />
        )}
      </PageBody>
    </>
  );
}

function Answered({ answer, onRestart }: { answer: LoginAnswer; onRestart: () => void }) {
  const again = <Button onClick={onRestart}>Enter another code</Button>;
  if (answer === "refused")
    return (
      <Section title="Login refused" actions={again}>
        <Notice>Nothing has changed. If you did not run the command yourself, report it to an admin.</Notice>
      </Section>
    );
  const { agentId, agentName, replaced } = answer;
  return (
    <Section title="Computer logged in" actions={again}>
      <Notice>
        <Link className="link" href={`/agents/${agentId}`}>
          {agentName}
        </Link>{" "}
        works for you. {replaced === null ? null : `Before, it worked for ${replaced.name}. `}
        You can close this page. To end it, run <code>quarterdeck logout</code> on the computer.
      </Notice>
    </Section>
  );
}
