-- What a list shows is found without wading through what was deleted before it: a project that makes and deletes profiles all day has few of them and many rows.
CREATE INDEX "browser_pools_undeleted_in_order" ON "browser_pools" ("project_id", "created_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "profiles_undeleted_in_order" ON "profiles" ("project_id", "created_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "credentials_undeleted_in_order" ON "credentials" ("project_id", "created_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "auth_connections_undeleted_in_order" ON "auth_connections" ("project_id", "created_at", "id") WHERE "deleted_at" IS NULL;
