import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, startProgram, type Application } from './application.js';
import type { DebianRoot } from './debian-root.js';

/** A whole project in one file: the administration, its tables in SQLite, one person. */
const project = `
import os, sys
from django.conf import settings
settings.configure(
    DEBUG=True, SECRET_KEY=os.urandom(16).hex(), ROOT_URLCONF='__main__', ALLOWED_HOSTS=['*'], STATIC_URL='/static/', USE_TZ=True, DEFAULT_AUTO_FIELD='django.db.models.AutoField',
    INSTALLED_APPS=['django.contrib.' + name for name in ('admin', 'auth', 'contenttypes', 'sessions', 'messages', 'staticfiles')],
    MIDDLEWARE=['django.contrib.sessions.middleware.SessionMiddleware', 'django.middleware.csrf.CsrfViewMiddleware', 'django.contrib.auth.middleware.AuthenticationMiddleware', 'django.contrib.messages.middleware.MessageMiddleware'],
    TEMPLATES=[{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'APP_DIRS': True, 'OPTIONS': {'context_processors': ['django.template.context_processors.request', 'django.contrib.auth.context_processors.auth', 'django.contrib.messages.context_processors.messages']}}],
    DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'site.sqlite3'}},
)
import django
django.setup()
from django.contrib import admin
from django.core.management import call_command
from django.urls import path
urlpatterns = [path('admin/', admin.site.urls)]
call_command('migrate', verbosity=0)
call_command('createsuperuser', interactive=False, username=os.environ['DJANGO_SUPERUSER_USERNAME'], email='ada@site.example', verbosity=0)
call_command('runserver', '127.0.0.1:' + sys.argv[1], use_reloader=False)
`;

/** Django's administration (Python, Debian): rendered by the server, found by its redirect from a deep address. */
export async function startDjango(debian: DebianRoot, folder: string): Promise<Application> {
  const [username, password] = ['ada.django', randomBytes(12).toString('base64url')];
  writeFileSync(join(folder, 'project.py'), project);
  const { port, ...running } = await startProgram({
    command: debian.python,
    args: (chosen) => ['project.py', String(chosen)],
    cwd: folder,
    env: { ...debian.env, DJANGO_SUPERUSER_USERNAME: username, DJANGO_SUPERUSER_PASSWORD: password },
  });
  const startUrl = addressOf('django', port, '/admin/auth/user/');
  return {
    startUrl,
    otherHosts: [],
    answers: { identifier: username, password },
    picks: [],
    signedIn: { url: startUrl, text: /Log out/i },
    ...running,
  };
}
