import { Controller, Inject, Res } from '@nestjs/common';
import type { ProjectRow } from '@berth/database';
import { type CreateProject, endpoints, type ListProjectsQuery, type Project, type UpdateProject } from '@berth/schema';
import type { FastifyReply } from 'fastify';
import type { Principal, ResolvedScope } from '../request/context.js';
import { cutToPage, pageOf } from '../request/paging.js';
import { Caller, InScope, NewId, ParsedBody, ParsedQuery, PathRow, Serves } from '../request/serves.js';
import { projectView } from './project-view.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';

@Controller()
export class ProjectsController {
  constructor(
    @Inject(ProjectsService) private readonly projects: ProjectsService,
    @Inject(ProjectsRepository) private readonly repository: ProjectsRepository,
  ) {}

  @Serves(endpoints.listProjects)
  async list(
    @Caller() caller: Principal,
    @InScope() scope: ResolvedScope,
    @ParsedQuery() query: ListProjectsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Project[]> {
    const page = pageOf(query);
    const rows = await this.repository.page(scope.organization, { id: caller.boundProjectId, name: query.name, query: query.query }, page);
    return cutToPage(reply, page, rows).map(projectView);
  }

  @Serves(endpoints.createProject)
  async create(@InScope() scope: ResolvedScope, @NewId() id: string, @ParsedBody() { name }: CreateProject): Promise<Project> {
    return projectView(await this.projects.create(scope.organization, id, name));
  }

  @Serves(endpoints.getProject)
  get(@PathRow() project: ProjectRow): Project {
    return projectView(project);
  }

  @Serves(endpoints.updateProject)
  async update(@InScope() scope: ResolvedScope, @PathRow() project: ProjectRow, @ParsedBody() body: UpdateProject): Promise<Project> {
    return projectView(await this.projects.update(scope.organization, project.id, body));
  }

  @Serves(endpoints.deleteProject)
  delete(@InScope() scope: ResolvedScope, @PathRow() project: ProjectRow): Promise<void> {
    return this.projects.delete(scope.organization, project.id);
  }
}
