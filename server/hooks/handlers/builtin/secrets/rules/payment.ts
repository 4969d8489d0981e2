/** Payment. Publishable keys (`pk_`) are public and stay. */
import { assigned, token } from "../rule.ts";
import { AN, HEX, LOWER, URL64, UUID } from "./shapes.ts";

const STRIPE = ["sk_test_", "sk_live_", "sk_prod_", "rk_test_", "rk_live_", "rk_prod_"];

export const PAYMENT = [
  token("stripe", STRIPE, `${AN}{10,250}`),
  token("stripe-webhook", ["whsec_"], "[a-zA-Z0-9+/]{32,200}={0,2}"),
  token("stripe-payment-intent", ["pi_"], `${AN}{24}_secret_${AN}{25}`),
  token("square-access", ["sq0atp-"], `${URL64}{22}`),
  token("square-secret", ["sq0csp-"], `${URL64}{43}`),
  assigned("square", ["square"], "EAAA[a-z0-9_-]{60}"),
  token("razorpay", ["rzp_test_", "rzp_live_"], `${AN}{14}`),
  token("plaid-access", ["access-sandbox-", "access-development-", "access-production-"], UUID),
  assigned("plaid", ["plaid"], `(?:${LOWER}{30}|${LOWER}{24})`),
  token("braintree", ["access_token$"], `(?:sandbox|production)\\$${AN}{16}\\$${HEX}{32}`),
  token("flutterwave", ["FLWSECK-", "FLWSECK_TEST-", "FLWPUBK-", "FLWPUBK_TEST-"], `${AN}{12,32}(?:-X)?`),
  token("gocardless", ["live_"], "[a-zA-Z0-9_=-]{40}['\"\\\\]", { before: ["['\"]", 1, 1] }),
  token("duffel", ["duffel_test_", "duffel_live_"], "[a-zA-Z0-9_=-]{43}"),
  token("easypost", ["EZAK", "EZTK"], `${AN}{54}`),
  token("shippo", ["shippo_live_", "shippo_test_"], `${HEX}{40}`),
  assigned("lob", ["lob"], `(?:live|test)_(?:${HEX}{35}|pub_${HEX}{31})`),
  assigned("finicity", ["finicity"], `(?:${HEX}{32}|${LOWER}{20})`),
  token("ramp-id", ["ramp_id_"], `${AN}{40}`),
  token("ramp-secret", ["ramp_sec_"], `${AN}{48}`),
];
