/**
 * Bare Fastify with the statements of the API and no contract: the least that these reads can cost. Arguments: PostgreSQL URL, Redis URL,
 * ids of the organization, its default project and an invocation.
 */
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import pg from 'pg';

const [databaseUrl, redisUrl, organizationId, projectId, invocationId] = process.argv.slice(2) as [string, string, string, string, string];
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const redis = new Redis(redisUrl, { enableAutoPipelining: true });
const server = Fastify();

const projects = {
  name: 'projects',
  text: `SELECT id, name, status, created_at, updated_at FROM projects
          WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR id = $2) AND ($3::text IS NULL OR name_folded = $3) AND ($4::text IS NULL OR strpos(name_folded, $4) > 0)
          ORDER BY created_at, id LIMIT $5 OFFSET $6`,
};
const limits = {
  name: 'limits',
  text: 'SELECT plan, max_concurrent_sessions, default_project_max_sessions FROM organizations WHERE id = $1',
};
const browsers = {
  name: 'browsers',
  text: `SELECT s.id, s.kind, s.status, s.generation, s.name, s.headless, s.stealth, s.gpu, s.kiosk_mode, s.timeout_seconds, s.start_url, s.viewport, s.tags, s.telemetry, s.profile_id,
                s.profile_save_changes, f.name AS profile_name, f.created_at AS profile_created_at, f.updated_at AS profile_updated_at, f.last_used_at AS profile_last_used_at,
                s.pool_id, b.name AS pool_name, s.invocation_id, s.host_id, s.host_public_url, s.created_at, s.started_at, s.ending_at
           FROM invocations i LEFT JOIN (browser_sessions s LEFT JOIN profiles f ON f.id = s.profile_id LEFT JOIN browser_pools b ON b.id = s.pool_id)
             ON s.project_id = i.project_id AND s.invocation_id = i.id AND s.status = 'running' AND (s.kind <> 'pool' OR s.leased_at IS NOT NULL)
          WHERE i.project_id = $1 AND i.id = $2 ORDER BY s.created_at DESC, s.id DESC`,
};

server.get(
  '/org/projects',
  async () => (await pool.query({ ...projects, values: [organizationId, null, null, null, 21, 0] })).rows.slice(0, 20) as unknown[],
);
server.get('/org/limits', async () => {
  const [{ rows }, used] = await Promise.all([
    pool.query<{ max_concurrent_sessions: number }>({ ...limits, values: [organizationId] }),
    redis.zcount('sessions', '-inf', '+inf'),
  ]);
  const limit = rows[0]?.max_concurrent_sessions ?? 0;
  return {
    max_concurrent_sessions: limit,
    default_project_max_concurrent_sessions: null,
    concurrent_sessions_used: used,
    concurrent_sessions_available: limit - used,
  };
});
server.get('/invocations/:id/browsers', async () => ({
  browsers: (await pool.query({ ...browsers, values: [projectId, invocationId] })).rows as unknown[],
}));

console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
