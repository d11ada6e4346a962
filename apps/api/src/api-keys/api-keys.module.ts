import { Inject, Module } from '@nestjs/common';
import { endpoints } from '@berth/schema';
import { MadeBefore } from '../idempotency/made-before.js';
import { PathLookups } from '../request/path-lookups.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';

@Module({ controllers: [ApiKeysController], providers: [ApiKeysRepository, ApiKeysService] })
export class ApiKeysModule {
  constructor(
    @Inject(PathLookups) lookups: PathLookups,
    @Inject(MadeBefore) made: MadeBefore,
    @Inject(ApiKeysRepository) repository: ApiKeysRepository,
    @Inject(ApiKeysService) keys: ApiKeysService,
  ) {
    // Reading may ask for deleted keys (`include_deleted`); everything else finds live ones only, so that 404 comes before 400 (D7).
    lookups.register('api_key', async (wanted, { endpoint, scope }) => {
      const key = await repository.find(scope.organization, wanted);
      return key?.deletedAt != null && endpoint.operationId !== endpoints.getApiKey.operationId ? undefined : key;
    });
    made.register(endpoints.createApiKey, (id, { scope }) => keys.finishCreate(scope, id));
  }
}
