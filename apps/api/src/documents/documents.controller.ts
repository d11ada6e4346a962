import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Controller, Inject, Param, Res } from '@nestjs/common';
import { endpoints, openApiDocument } from '@berth/schema';
import type { FastifyReply } from 'fastify';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { notFound } from '../errors/api-error.js';
import { Serves } from '../request/serves.js';

/** The files of Swagger UI that the page needs; nothing is fetched from elsewhere. */
const swaggerFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const swaggerFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};
const startScript = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#docs', deepLinking: true });\n`;
const page = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Berth API</title><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="docs/swagger-ui.css"></head>
  <body><div id="docs"></div><script src="docs/swagger-ui-bundle.js"></script><script src="docs/start.js"></script></body>
</html>
`;
const contentPolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

@Controller()
export class DocumentsController {
  readonly #document: Record<string, unknown>;

  constructor(@Inject(API_CONFIG) config: ApiConfig) {
    this.#document = openApiDocument(config.publicUrl);
  }

  @Serves(endpoints.openapi)
  openapi(): Record<string, unknown> {
    return this.#document;
  }

  @Serves(endpoints.docs)
  docs(@Res({ passthrough: true }) reply: FastifyReply): string {
    void reply.type('text/html; charset=utf-8').header('Content-Security-Policy', contentPolicy);
    return page;
  }

  @Serves(endpoints.docsFile)
  async file(@Param('name') name: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    if (name === 'start.js') {
      void reply.type('text/javascript; charset=utf-8');
      return startScript;
    }
    const type = Object.hasOwn(swaggerFiles, name) ? swaggerFiles[name] : undefined;
    if (type === undefined) throw notFound();
    void reply.type(type).header('Cache-Control', 'public, max-age=86400');
    return readFile(join(swaggerFolder, name), 'utf8');
  }
}
