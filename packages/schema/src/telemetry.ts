import { z } from 'zod';

export const telemetryCategories = [
  'captcha',
  'connection',
  'console',
  'control',
  'interaction',
  'network',
  'page',
  'platform',
  'screenshot',
  'system',
] as const;

const Category = z.strictObject({ enabled: z.boolean().optional() });
const ControlCategory = z.strictObject({
  enabled: z.boolean().optional(),
  cdp: z.strictObject({ excluded_methods: z.array(z.string().max(200)).max(500).optional() }).optional(),
});

const Categories = z.strictObject({
  captcha: Category.optional(),
  connection: Category.optional(),
  console: Category.optional(),
  control: ControlCategory.optional(),
  interaction: Category.optional(),
  network: Category.optional(),
  page: Category.optional(),
  platform: Category.optional(),
  screenshot: Category.optional(),
  system: Category.optional(),
});

/** The telemetry object of a session record. */
export const Telemetry = z
  .strictObject({
    browser: Categories.optional(),
    export: z
      .strictObject({ otlp: z.strictObject({ destination: z.string().optional(), enabled: z.boolean().optional() }).optional() })
      .optional(),
    storage: z.strictObject({ enabled: z.boolean().optional() }).optional(),
  })
  .meta({ id: 'Telemetry' });

/** The telemetry object of a request; `enabled: false` and `null` ask for none. */
export const TelemetryRequest = z
  .strictObject({
    enabled: z.boolean().optional(),
    browser: Categories.optional(),
    export: z
      .strictObject({ otlp: z.strictObject({ destination: z.string().max(2048).optional(), enabled: z.boolean().optional() }).optional() })
      .optional(),
    storage: z.strictObject({ enabled: z.boolean().optional() }).optional(),
  })
  .meta({ id: 'TelemetryRequest' });

export type Telemetry = z.infer<typeof Telemetry>;
export type TelemetryRequest = z.infer<typeof TelemetryRequest>;
