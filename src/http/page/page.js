// Shows the contract with Swagger UI. Requests that people try go to the server of the page.
'use strict';

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

async function show() {
  const response = await fetch('openapi.json');
  if (!response.ok) throw new Error(`status ${response.status}`);
  const spec = await response.json();
  spec.servers = [{ url: new URL('.', location.href).href.slice(0, -1) }];
  const syntaxHighlight = { theme: 'obsidian' };
  SwaggerUIBundle({ spec, dom_id: '#contract', deepLinking: true, displayRequestDuration: true, syntaxHighlight });
}

show().catch((error) => {
  document.querySelector('[role=status]').textContent = `The contract could not be read: ${error.message}`;
});
