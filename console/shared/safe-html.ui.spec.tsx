import { expect, test } from 'vitest';
import { sanitiseHtml } from './safe-html.ts';

test('what runs is taken out of an operator’s HTML, what is read stays', () => {
  const dirty =
    '<p onclick="x()">Hello <b>you</b><script>x()</script><img src="javascript:x()" onerror="x()">' +
    '<a href="javascript:x()">bad</a><a href="https://a.b">good</a><custom-tag>text</custom-tag></p>' +
    '<svg><script>x()</script></svg><iframe src="https://a.b"></iframe>';
  const clean = sanitiseHtml(dirty);
  expect(clean).toContain('Hello <b>you</b>');
  expect(clean).toContain('href="https://a.b"');
  expect(clean).toContain('text');
  expect(clean).not.toMatch(/script|onclick|onerror|iframe|svg|custom-tag/);
});
