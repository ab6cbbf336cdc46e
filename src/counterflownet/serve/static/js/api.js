// The description of the service as a page: each address, what it takes, and a command to try it.

import { h } from "./dom.js";

function kindOf(schema, all) {
  if (!schema) return "";
  if (schema.$ref) return kindOf(all[schema.$ref.split("/").at(-1)], all);
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => kindOf(one, all)))].join(" or ");
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" or ");
  if (schema.type === "array") return `list of ${kindOf(schema.items, all) || "anything"}`;
  if (schema.type === "object") return schema.title && schema.properties ? schema.title : "object";
  return schema.type ?? "anything";
}

function fields(body, all) {
  const schema = all[body?.content?.["application/json"]?.schema?.$ref?.split("/").at(-1)];
  if (!schema) return null;
  const needed = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties).map(([name, one]) =>
    h("tr", {}, h("td", {}, name), h("td", {}, kindOf(one, all)), h("td", {}, needed.has(name) ? "needed" : one.default === undefined ? "" : JSON.stringify(one.default))),
  );
  const head = ["name", "what", "default"].map((name) => h("th", { scope: "col" }, name));
  return [h("p", {}, schema.description ?? ""), h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows))];
}

function section(path, method, route, all) {
  const post = method === "post" ? ` -H 'content-type: application/json' -d '{"rows": [{…}]}'` : "";
  return h(
    "section",
    {},
    h("h2", {}, h("b", {}, method.toUpperCase()), path),
    h("p", {}, route.summary ?? ""),
    fields(route.requestBody, all) ?? [],
    h("pre", { tabindex: 0 }, `curl ${location.origin}${path}${post}`),
  );
}

const described = await (await fetch("/v1/openapi.json")).json();
const all = described.components?.schemas ?? {};
const sections = Object.entries(described.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, route]) => section(path, method, route, all)));
document.getElementById("routes").append(...sections);
