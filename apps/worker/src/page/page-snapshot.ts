import type { ControlSnapshot, PageSnapshot } from '../discovery/snapshot.js';
import { handleOf, type PlacedFrame } from './frames.js';
import type { FrameReport } from './in-page/collect.js';

/** Which window is looked at, and what it said in dialogs of its own. */
interface Window {
  readonly ordinal: number;
  readonly isPopup: boolean;
  readonly dialogs: readonly string[];
}

/**
 * One page from the reports of its frames, in their order, the main frame's first; null for a frame that did not answer. What stands in a
 * hidden frame is not rendered, and handles and forms are told apart by their frames. Pure.
 */
export function snapshotOf(
  { ordinal, isPopup, dialogs }: Window,
  url: string,
  placed: readonly PlacedFrame[],
  reports: readonly (FrameReport | null)[],
): PageSnapshot {
  const parts = placed.map((place, index) => ({ ...place, report: reports[index] ?? null, visible: place.element?.visible ?? true }));
  const named = (key: string, group: string): string => (key === '' ? group : `${key} ${group}`);
  const main = reports[0];
  return {
    url,
    documentId: `${ordinal} ${main?.documentId ?? ''}`,
    title: main?.title ?? '',
    language: main?.language ?? '',
    httpStatus: main?.httpStatus ?? null,
    popup: isPopup,
    readyState: main?.readyState ?? 'loading',
    frames: parts.map(({ key, frame, element, report, visible }) => ({
      key,
      url: /^(about:|chrome-error:|$)/.test(frame.url()) && element?.src ? element.src : frame.url(),
      title: `${element?.title ?? ''} ${report?.title ?? ''}`.trim(),
      visible,
      box: element?.box ?? { x: 0, y: 0, width: 0, height: 0 },
    })),
    forms: parts.flatMap(({ key, report }) => (report?.forms ?? []).map((form) => ({ ...form, key: named(key, form.key), frame: key }))),
    controls: parts.flatMap(({ key, report, visible }) =>
      (report?.controls ?? []).map((control): ControlSnapshot => ({
        ...control,
        handle: handleOf(ordinal, key, control.handle),
        frame: key,
        form: named(key, control.form),
        visible: control.visible && visible,
        unreachable: visible ? control.unreachable : 'not_rendered',
      })),
    ),
    headings: parts.flatMap(({ report, visible }) => (visible ? (report?.headings ?? []) : [])),
    numbers: parts.flatMap(({ report, visible }) => (visible ? (report?.numbers ?? []) : [])),
    alerts: [
      ...dialogs.map((text) => ({ frame: '', text, source: 'dialog' as const })),
      ...parts.flatMap(({ key, report, visible }) => (visible ? (report?.alerts ?? []).map((alert) => ({ ...alert, frame: key })) : [])),
    ],
    text: parts
      .flatMap(({ report, visible }) => (visible && report ? [report.text] : []))
      .join(' ')
      .slice(0, 6_000),
    modalText: parts.map(({ report }) => report?.modalText ?? '').find((text) => text !== '') ?? '',
    folded: parts.flatMap(({ report, visible }) => (visible ? (report?.folded ?? []) : [])),
  };
}
