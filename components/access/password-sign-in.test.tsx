import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PasswordSignIn, SIGN_IN_HEADINGS, type SignInStep } from "@/components/access/password-sign-in";

const noop = () => undefined;
const drawn = (step: SignInStep) =>
  renderToStaticMarkup(<PasswordSignIn step={step} onStep={noop} onSignedIn={noop} />);

it("says before a link is sent what the link does", () => {
  expect(SIGN_IN_HEADINGS.forgotten).toBe("Reset your password");
  expect(drawn("forgotten")).toContain("The link opens a page to choose a new password.");
  expect(drawn("password")).not.toContain("The link opens");
});
