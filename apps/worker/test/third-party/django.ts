import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newTotpSecret, totpCode } from '@berth/testkit';
import { addressOf, startProgram, type Application, type RunningProgram } from './application.js';
import type { DebianRoot } from './debian-root.js';

/** What is added to the administration, in Python. */
interface Additions {
  readonly apps?: string;
  readonly middleware?: string;
  /** Runs once the tables are there; `ada` is the person, `site` becomes the administration. */
  readonly setUp?: string;
}

/** A whole project in one file: the administration, its tables in SQLite, one person. */
const project = ({ apps = '', middleware = '', setUp = '' }: Additions): string => `
import os, sys
from django.conf import settings
settings.configure(
    DEBUG=True, SECRET_KEY=os.urandom(16).hex(), ROOT_URLCONF='__main__', ALLOWED_HOSTS=['*'], STATIC_URL='/static/', USE_TZ=True, DEFAULT_AUTO_FIELD='django.db.models.AutoField',
    INSTALLED_APPS=['django.contrib.' + name for name in ('admin', 'auth', 'contenttypes', 'sessions', 'messages', 'staticfiles')] + [${apps}],
    MIDDLEWARE=['django.contrib.sessions.middleware.SessionMiddleware', 'django.middleware.csrf.CsrfViewMiddleware', 'django.contrib.auth.middleware.AuthenticationMiddleware', 'django.contrib.messages.middleware.MessageMiddleware', ${middleware}],
    TEMPLATES=[{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'APP_DIRS': True, 'OPTIONS': {'context_processors': ['django.template.context_processors.request', 'django.contrib.auth.context_processors.auth', 'django.contrib.messages.context_processors.messages']}}],
    DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'site.sqlite3'}},
)
import django
django.setup()
from django.contrib import admin
from django.core.management import call_command
from django.urls import path
call_command('migrate', verbosity=0)
call_command('createsuperuser', interactive=False, username=os.environ['DJANGO_SUPERUSER_USERNAME'], email='ada@site.example', verbosity=0)
from django.contrib.auth.models import User
ada, site = User.objects.get(), admin.site
${setUp}
urlpatterns = [path('admin/', site.urls)]
call_command('runserver', '127.0.0.1:' + sys.argv[1], use_reloader=False)
`;

const serve = async (debian: DebianRoot, folder: string, additions: Additions, password: string): Promise<RunningProgram> => {
  writeFileSync(join(folder, 'project.py'), project(additions));
  return startProgram({
    command: debian.python,
    args: (chosen) => ['project.py', String(chosen)],
    cwd: folder,
    env: { ...debian.env, DJANGO_SUPERUSER_USERNAME: username, DJANGO_SUPERUSER_PASSWORD: password },
  });
};
const username = 'ada.django';

/** Django's administration (Python, Debian): rendered by the server, found by its redirect from a deep address. */
export async function startDjango(debian: DebianRoot, folder: string): Promise<Application> {
  const password = randomBytes(12).toString('base64url');
  const { port, ...running } = await serve(debian, folder, {}, password);
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

/** django-otp (Python, Debian): its administration asks for name, password and the code of an authenticator app in one form. */
export async function startDjangoOtp(debian: DebianRoot, folder: string): Promise<Application> {
  const [password, seed] = [randomBytes(12).toString('base64url'), newTotpSecret()];
  const additions: Additions = {
    apps: `'django_otp', 'django_otp.plugins.otp_totp'`,
    middleware: `'django_otp.middleware.OTPMiddleware'`,
    setUp: `
import base64
from django_otp.admin import OTPAdminSite
from django_otp.plugins.otp_totp.models import TOTPDevice
TOTPDevice.objects.create(user=ada, name='phone', key=base64.b32decode('${seed}').hex(), tolerance=2)
site = OTPAdminSite()
site.register(User)
`,
  };
  const { port, ...running } = await serve(debian, folder, additions, password);
  const startUrl = addressOf('djangootp', port, '/admin/');
  return {
    startUrl,
    otherHosts: [],
    answers: { identifier: username, password, code: () => totpCode(seed) },
    picks: [],
    signedIn: { url: startUrl, text: /Log out/i },
    ...running,
  };
}
