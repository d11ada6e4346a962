import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AdmissionModule } from './admission/admission.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuthConnectionsModule } from './auth-connections/auth-connections.module.js';
import { FlowStoreModule } from './auth-connections/flow-store.module.js';
import { BootstrapModule } from './bootstrap/bootstrap.module.js';
import { BrowserPoolsModule } from './browser-pools/browser-pools.module.js';
import { BrowsersModule } from './browsers/browsers.module.js';
import type { ApiConfig } from './config.js';
import { CredentialsModule } from './credentials/credentials.module.js';
import { DocumentsModule } from './documents/documents.module.js';
import { ErrorFilter } from './errors/error-filter.js';
import { EventsModule } from './events/events.module.js';
import { HealthModule } from './health/health.module.js';
import { HostedModule } from './hosted/hosted.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { InvocationsModule } from './invocations/invocations.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { MaintenanceModule } from './maintenance/maintenance.module.js';
import { ProfilesModule } from './profiles/profiles.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { RequestModule } from './request/request.module.js';
import { StoresModule } from './stores.module.js';

@Module({})
export class AppModule {
  static forRoot(config: ApiConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        StoresModule.forRoot(config),
        RequestModule,
        AdmissionModule,
        ApiKeysModule,
        AuthConnectionsModule,
        BootstrapModule,
        BrowserPoolsModule,
        BrowsersModule,
        CredentialsModule,
        DocumentsModule,
        EventsModule,
        FlowStoreModule,
        HealthModule,
        HostedModule,
        IdempotencyModule,
        IdentityModule,
        InvocationsModule,
        LimitsModule,
        MaintenanceModule,
        ProfilesModule,
        ProjectsModule,
      ],
      providers: [{ provide: APP_FILTER, useClass: ErrorFilter }],
    };
  }
}
