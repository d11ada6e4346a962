/** Bare Fastify with the same statements and no contract: the least that these reads can cost. Arguments: PostgreSQL URL, Redis URL, organization id. */
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import pg from 'pg';

const [databaseUrl, redisUrl, organizationId] = process.argv.slice(2) as [string, string, string];
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const redis = new Redis(redisUrl, { enableAutoPipelining: true });
const server = Fastify();

const projects = {
  name: 'projects',
  text: `SELECT id, name, status, created_at, updated_at FROM projects
          WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR id = $2) AND ($3::text IS NULL OR name_folded = $3) AND ($4::text IS NULL OR strpos(name_folded, $4) > 0)
          ORDER BY created_at, id LIMIT $5 OFFSET $6`,
};
const limits = { name: 'limits', text: 'SELECT plan, max_concurrent_sessions, default_project_max_sessions FROM organizations WHERE id = $1' };

server.get('/org/projects', async () => (await pool.query({ ...projects, values: [organizationId, null, null, null, 21, 0] })).rows.slice(0, 20) as unknown[]);
server.get('/org/limits', async () => {
  const [{ rows }, used] = await Promise.all([pool.query<{ max_concurrent_sessions: number }>({ ...limits, values: [organizationId] }), redis.zcount('sessions', '-inf', '+inf')]);
  const limit = rows[0]?.max_concurrent_sessions ?? 0;
  return { max_concurrent_sessions: limit, default_project_max_concurrent_sessions: null, concurrent_sessions_used: used, concurrent_sessions_available: limit - used };
});

console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
