-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "ProjectStatus" AS ENUM ('active', 'archived');

-- CreateEnum
CREATE TYPE "SessionKind" AS ENUM ('on_demand', 'pool', 'login', 'health_check');

-- CreateEnum
CREATE TYPE "SessionStatus" AS ENUM ('starting', 'running', 'ending', 'ended');

-- CreateEnum
CREATE TYPE "InvocationStatus" AS ENUM ('running', 'succeeded', 'failed');

-- CreateEnum
CREATE TYPE "AuthStatus" AS ENUM ('AUTHENTICATED', 'NEEDS_AUTH');

-- CreateEnum
CREATE TYPE "FlowStatus" AS ENUM ('IN_PROGRESS', 'SUCCESS', 'FAILED', 'EXPIRED', 'CANCELED');

-- CreateEnum
CREATE TYPE "FlowStep" AS ENUM ('DISCOVERING', 'AWAITING_INPUT', 'AWAITING_EXTERNAL_ACTION', 'SUBMITTING', 'COMPLETED');

-- CreateEnum
CREATE TYPE "FlowType" AS ENUM ('LOGIN', 'REAUTH');

-- CreateTable
CREATE TABLE "organizations" (
    "id" TEXT NOT NULL,
    "external_id" TEXT,
    "name" TEXT NOT NULL,
    "plan" TEXT NOT NULL DEFAULT 'developer',
    "projects_enabled" BOOLEAN NOT NULL DEFAULT true,
    "max_concurrent_sessions" INTEGER,
    "default_project_max_sessions" INTEGER,
    "default_project_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "name_folded" TEXT NOT NULL,
    "status" "ProjectStatus" NOT NULL DEFAULT 'active',
    "max_concurrent_sessions" INTEGER,
    "max_concurrent_invocations" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "project_id" TEXT,
    "name" TEXT NOT NULL,
    "masked_key" TEXT NOT NULL,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT,
    "created_by_email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key_secrets" (
    "hash" BYTEA NOT NULL,
    "api_key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_secrets_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "browser_hosts" (
    "id" TEXT NOT NULL,
    "internal_url" TEXT NOT NULL,
    "public_url" TEXT NOT NULL,
    "capacity" INTEGER NOT NULL,
    "headful" BOOLEAN NOT NULL DEFAULT false,
    "draining" BOOLEAN NOT NULL DEFAULT false,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "heartbeat_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "browser_hosts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "browser_sessions" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "kind" "SessionKind" NOT NULL,
    "status" "SessionStatus" NOT NULL DEFAULT 'starting',
    "generation" INTEGER NOT NULL DEFAULT 1,
    "name" TEXT,
    "headless" BOOLEAN NOT NULL,
    "stealth" BOOLEAN NOT NULL DEFAULT false,
    "gpu" BOOLEAN,
    "kiosk_mode" BOOLEAN,
    "timeout_seconds" INTEGER NOT NULL,
    "start_url" TEXT,
    "viewport" JSONB,
    "chrome_policy" JSONB,
    "tags" JSONB,
    "network" JSONB,
    "telemetry" JSONB,
    "proxy_id" TEXT,
    "region" TEXT,
    "profile_id" TEXT,
    "profile_save_changes" BOOLEAN,
    "pool_id" TEXT,
    "leased_at" TIMESTAMPTZ(3),
    "invocation_id" TEXT,
    "host_id" TEXT,
    "host_internal_url" TEXT,
    "host_public_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ending_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "end_reason" TEXT,

    CONSTRAINT "browser_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "browser_pools" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "name" TEXT,
    "size" INTEGER NOT NULL,
    "fill_rate_per_minute" INTEGER,
    "refresh_on_profile_update" BOOLEAN,
    "profile_id" TEXT,
    "config" JSONB NOT NULL,
    "flushed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "browser_pools_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invocations" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "app_name" TEXT NOT NULL,
    "action_name" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "status" "InvocationStatus" NOT NULL DEFAULT 'running',
    "payload" TEXT,
    "output" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "invocations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "profiles" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "profiles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "profile_states" (
    "profile_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "profile_states_pkey" PRIMARY KEY ("profile_id")
);

-- CreateTable
CREATE TABLE "credentials" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "sso_provider" TEXT,
    "sealed_values" BYTEA,
    "value_keys" TEXT[],
    "sealed_totp_secret" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "credentials_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth_connections" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "profile_id" TEXT NOT NULL,
    "login_url" TEXT,
    "allowed_domains" TEXT[],
    "auto_reauth" BOOLEAN NOT NULL DEFAULT true,
    "health_checks" BOOLEAN NOT NULL DEFAULT true,
    "health_check_interval" INTEGER NOT NULL DEFAULT 3600,
    "record_session" BOOLEAN NOT NULL DEFAULT false,
    "save_credentials" BOOLEAN NOT NULL DEFAULT true,
    "credential_id" TEXT,
    "browser_telemetry" JSONB,
    "proxy_id" TEXT,
    "status" "AuthStatus" NOT NULL DEFAULT 'NEEDS_AUTH',
    "sequence" BIGINT NOT NULL DEFAULT 0,
    "current_flow_id" TEXT,
    "requirements" JSONB,
    "sso_provider" TEXT,
    "post_login_url" TEXT,
    "last_auth_at" TIMESTAMPTZ(3),
    "last_auth_check_at" TIMESTAMPTZ(3),
    "next_check_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "auth_connections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "login_flows" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "connection_id" TEXT NOT NULL,
    "type" "FlowType" NOT NULL,
    "status" "FlowStatus" NOT NULL DEFAULT 'IN_PROGRESS',
    "step" "FlowStep" NOT NULL DEFAULT 'DISCOVERING',
    "sequence" BIGINT NOT NULL,
    "state" JSONB NOT NULL,
    "interaction_id" TEXT,
    "memory" JSONB NOT NULL,
    "browser_session_id" TEXT,
    "owner_epoch" INTEGER NOT NULL DEFAULT 0,
    "owner_seen_at" TIMESTAMPTZ(3),
    "hosted_token_hash" BYTEA NOT NULL,
    "sealed_hosted_token" BYTEA NOT NULL,
    "sealed_answer" BYTEA,
    "answered_interaction_id" TEXT,
    "sealed_values" BYTEA,
    "intent" JSONB,
    "saved_at" TIMESTAMPTZ(3),
    "post_login_url" TEXT,
    "pause_expires_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "login_flows_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "login_flow_events" (
    "connection_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "flow_id" TEXT NOT NULL,
    "status" "FlowStatus" NOT NULL,
    "step" "FlowStep" NOT NULL,
    "detail" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "login_flow_events_pkey" PRIMARY KEY ("connection_id","sequence")
);

-- CreateTable
CREATE TABLE "health_checks" (
    "id" TEXT NOT NULL,
    "connection_id" TEXT NOT NULL,
    "status" "AuthStatus" NOT NULL,
    "previous_status" "AuthStatus",
    "browser_session_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "health_checks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "credential_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "sealed_answer" BYTEA,
    "claimed_until" TIMESTAMPTZ(3),
    "claim_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("credential_id","project_id","route","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "organizations_external_id_key" ON "organizations"("external_id");

-- CreateIndex
CREATE UNIQUE INDEX "organizations_name_key" ON "organizations"("name");

-- CreateIndex
CREATE INDEX "projects_organization_id_created_at_id_idx" ON "projects"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "api_keys_organization_id_created_at_id_idx" ON "api_keys"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "api_keys_project_id_idx" ON "api_keys"("project_id");

-- CreateIndex
CREATE INDEX "api_key_secrets_api_key_id_idx" ON "api_key_secrets"("api_key_id");

-- CreateIndex
CREATE INDEX "browser_hosts_heartbeat_at_idx" ON "browser_hosts"("heartbeat_at");

-- CreateIndex
CREATE INDEX "browser_pools_project_id_created_at_id_idx" ON "browser_pools"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "browser_pools_profile_id_idx" ON "browser_pools"("profile_id");

-- CreateIndex
CREATE INDEX "invocations_project_id_started_at_id_idx" ON "invocations"("project_id", "started_at", "id");

-- CreateIndex
CREATE INDEX "profiles_project_id_created_at_id_idx" ON "profiles"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "credentials_project_id_created_at_id_idx" ON "credentials"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "auth_connections_project_id_created_at_id_idx" ON "auth_connections"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "auth_connections_profile_id_idx" ON "auth_connections"("profile_id");

-- CreateIndex
CREATE INDEX "auth_connections_next_check_at_idx" ON "auth_connections"("next_check_at");

-- CreateIndex
CREATE INDEX "login_flows_connection_id_created_at_idx" ON "login_flows"("connection_id", "created_at");

-- CreateIndex
CREATE INDEX "login_flows_browser_session_id_idx" ON "login_flows"("browser_session_id");

-- CreateIndex
CREATE UNIQUE INDEX "login_flows_hosted_token_hash_key" ON "login_flows"("hosted_token_hash");

-- CreateIndex
CREATE INDEX "login_flow_events_flow_id_idx" ON "login_flow_events"("flow_id");

-- CreateIndex
CREATE INDEX "health_checks_connection_id_created_at_idx" ON "health_checks"("connection_id", "created_at");

-- CreateIndex
CREATE INDEX "idempotency_records_expires_at_idx" ON "idempotency_records"("expires_at");

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_secrets" ADD CONSTRAINT "api_key_secrets_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "profile_states" ADD CONSTRAINT "profile_states_profile_id_fkey" FOREIGN KEY ("profile_id") REFERENCES "profiles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "login_flows" ADD CONSTRAINT "login_flows_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "auth_connections"("id") ON DELETE RESTRICT ON UPDATE CASCADE;



-- What Prisma's schema language cannot say: uniqueness among the undeleted, and indexes over live rows only.

-- D16: unique case-insensitively among projects not deleted; archived ones keep theirs.
CREATE UNIQUE INDEX "projects_name_among_undeleted" ON "projects" ("organization_id", "name_folded") WHERE "deleted_at" IS NULL;
CREATE INDEX "projects_undeleted_in_order" ON "projects" ("organization_id", "created_at", "id") WHERE "deleted_at" IS NULL;

-- D30: names of browsers, pools, profiles and credentials are unique among the undeleted of the project.
CREATE UNIQUE INDEX "browser_sessions_name_among_live" ON "browser_sessions" ("project_id", "name") WHERE "deleted_at" IS NULL AND "name" IS NOT NULL;
CREATE UNIQUE INDEX "browser_pools_name_among_undeleted" ON "browser_pools" ("project_id", "name") WHERE "deleted_at" IS NULL AND "name" IS NOT NULL;
CREATE UNIQUE INDEX "profiles_name_among_undeleted" ON "profiles" ("project_id", "name") WHERE "deleted_at" IS NULL AND "name" IS NOT NULL;
CREATE UNIQUE INDEX "credentials_name_among_undeleted" ON "credentials" ("project_id", "name") WHERE "deleted_at" IS NULL;
CREATE INDEX "api_keys_undeleted_in_order" ON "api_keys" ("organization_id", "created_at", "id") WHERE "deleted_at" IS NULL;

-- D37: one connection per profile and domain. D38: one running flow per connection.
CREATE UNIQUE INDEX "auth_connections_one_per_profile_and_domain" ON "auth_connections" ("project_id", "profile_id", "domain") WHERE "deleted_at" IS NULL;
CREATE UNIQUE INDEX "login_flows_one_running_per_connection" ON "login_flows" ("connection_id") WHERE "status" = 'IN_PROGRESS';
CREATE INDEX "login_flows_running" ON "login_flows" ("expires_at") WHERE "status" = 'IN_PROGRESS';

-- Live sessions are few among many ended ones: every hot question is over these.
CREATE INDEX "browser_sessions_live_of_organization" ON "browser_sessions" ("organization_id") WHERE "status" <> 'ended';
CREATE INDEX "browser_sessions_live_of_host" ON "browser_sessions" ("host_id") WHERE "status" <> 'ended';
CREATE INDEX "browser_sessions_live_of_pool" ON "browser_sessions" ("pool_id", "created_at") WHERE "status" <> 'ended' AND "pool_id" IS NOT NULL;
CREATE INDEX "browser_sessions_live_of_profile" ON "browser_sessions" ("profile_id") WHERE "status" <> 'ended' AND "profile_id" IS NOT NULL;
CREATE INDEX "browser_sessions_live_of_invocation" ON "browser_sessions" ("invocation_id", "created_at" DESC, "id" DESC) WHERE "status" IN ('starting', 'running');
CREATE INDEX "browser_sessions_live_of_project" ON "browser_sessions" ("project_id", "created_at", "id") WHERE "status" IN ('starting', 'running');
CREATE INDEX "browser_sessions_of_project" ON "browser_sessions" ("project_id", "created_at", "id");
CREATE INDEX "browser_sessions_unplaced" ON "browser_sessions" ("created_at") WHERE "status" = 'starting';
CREATE INDEX "browser_sessions_ending" ON "browser_sessions" ("ending_at") WHERE "status" = 'ending';
CREATE INDEX "browser_sessions_tags" ON "browser_sessions" USING gin ("tags" jsonb_path_ops);
CREATE INDEX "invocations_running_of_project" ON "invocations" ("project_id") WHERE "status" = 'running';

-- A session that has ended says so in both places, or in neither.
ALTER TABLE "browser_sessions" ADD CONSTRAINT "browser_sessions_ended_has_an_end" CHECK (("status" = 'ended') = ("deleted_at" IS NOT NULL));
-- D40: COMPLETED appears exactly with SUCCESS.
ALTER TABLE "login_flows" ADD CONSTRAINT "login_flows_completed_is_success" CHECK (("step" = 'COMPLETED') = ("status" = 'SUCCESS'));
ALTER TABLE "login_flows" ADD CONSTRAINT "login_flows_terminal_has_an_end" CHECK (("status" = 'IN_PROGRESS') = ("finished_at" IS NULL));
-- D24: caps are positive or absent.
ALTER TABLE "projects" ADD CONSTRAINT "projects_caps_are_positive" CHECK ("max_concurrent_sessions" > 0 AND "max_concurrent_invocations" > 0);
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_caps_are_positive" CHECK ("max_concurrent_sessions" > 0 AND "default_project_max_sessions" > 0);
ALTER TABLE "browser_pools" ADD CONSTRAINT "browser_pools_size_is_positive" CHECK ("size" > 0);
