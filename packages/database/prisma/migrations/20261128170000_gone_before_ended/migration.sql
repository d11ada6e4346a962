-- A browser that is gone counts no more (deleted_at), though its host may still have its profile to store (ending).
ALTER TABLE "browser_sessions" DROP CONSTRAINT "browser_sessions_ended_has_an_end";
ALTER TABLE "browser_sessions" ADD CONSTRAINT "browser_sessions_ended_has_an_end" CHECK (
  CASE "status" WHEN 'ended' THEN "deleted_at" IS NOT NULL WHEN 'ending' THEN true ELSE "deleted_at" IS NULL END
);
