-- A notice of several requests that are alike is over with the last of them. A new column with a constant default, which a former release
-- neither writes nor reads: for that one it is over with the first.
ALTER TABLE notice
  -- Beside `request_id`, the requests that the notice is about.
  ADD COLUMN other_request_ids uuid[] NOT NULL DEFAULT '{}';
