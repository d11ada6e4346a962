import { Controller, Inject } from '@nestjs/common';
import { endpoints, openApiDocument } from '@berth/schema';
import { API_CONFIG, type ApiConfig } from '../config.js';
import { Serves } from '../request/serves.js';

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
}
