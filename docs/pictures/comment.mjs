// Renders a comment of threeway review as GitHub shows it: node comment.mjs COMMENT.md > comment.html
import fs from "node:fs";
import hljs from "highlight.js";
import { Marked } from "marked";
import { markedHighlight } from "marked-highlight";

const highlight = (code, language) => (hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : code.replace(/&/g, "&amp;").replace(/</g, "&lt;"));
const marked = new Marked(markedHighlight({ langPrefix: "hljs language-", highlight }), { gfm: true });
const css = (file) => fs.readFileSync(new URL(`node_modules/${file}`, import.meta.url), "utf8");
// The object is folded in the pull request; the picture shows what is inside.
const body = marked.parse(fs.readFileSync(process.argv[2], "utf8")).replace("<details>", "<details open>")
  .replace(/<blockquote>\s*<p>\[!(\w+)\]\s*([^]*?)<\/blockquote>/, (_, kind, text) => `<div class="markdown-alert markdown-alert-${kind.toLowerCase()}"><p class="markdown-alert-title">${kind[0] + kind.slice(1).toLowerCase()}</p><p>${text}</div>`);
console.log(`<!doctype html><meta charset="utf-8"><style>
${css("github-markdown-css/github-markdown-light.css")}
${css("highlight.js/styles/github.css")}
body { margin: 0; background: #fff; }
.box { border: 1px solid #d1d9e0; border-radius: 6px; margin: 16px; }
.box > header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 8px 16px; color: #59636e; font: 14px -apple-system, "Noto Sans", Helvetica, Arial, sans-serif; border-radius: 6px 6px 0 0; }
.markdown-body { padding: 16px; font-size: 14px; }
@media (prefers-color-scheme: dark) {
${css("github-markdown-css/github-markdown-dark.css")}
${css("highlight.js/styles/github-dark.css")}
body { background: #0d1117; }
.box { border-color: #3d444d; }
.box > header { background: #151b23; border-color: #3d444d; color: #9198a1; }
}
</style><div class="box"><header><b>github-actions</b> bot commented</header><div class="markdown-body">${body}</div></div>`);
