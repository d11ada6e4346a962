import { Controller } from '@nestjs/common';
import { endpoints, type Identity } from '@berth/schema';
import type { Principal, ResolvedScope } from '../request/context.js';
import { Caller, InScope, Serves } from '../request/serves.js';

@Controller()
export class IdentityController {
  @Serves(endpoints.whoami)
  whoami(@Caller() caller: Principal, @InScope() scope: ResolvedScope): Identity {
    return {
      credential: { kind: caller.kind, id: caller.id },
      organization: { id: caller.organization.id, name: caller.organization.name },
      project_id: caller.boundProjectId,
      resolved_project: { id: scope.project.projectId, name: scope.projectName },
    };
  }
}
