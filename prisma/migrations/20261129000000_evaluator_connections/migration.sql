-- A connection may lead to a provider of evaluators.
ALTER TABLE model_connection
  DROP CONSTRAINT model_connection_provider_check,
  ADD CONSTRAINT model_connection_provider_check
    CHECK (provider IN ('openai', 'anthropic', 'google', 'openai-compatible', 'typesafe'));
