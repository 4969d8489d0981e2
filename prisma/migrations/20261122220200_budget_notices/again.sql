-- What the former release noticed meanwhile is old news.
UPDATE budget_alert SET notified_at = at WHERE notified_at IS NULL
  AND at > (SELECT rolled_back_at FROM "_prisma_migrations" WHERE migration_name = '20261122220200_budget_notices');
