//! `openapi.json`: the paths of the table. Response objects have no schemas; Slurm's own description of a release has
//! them.

use super::fields::Field;
use super::routes::{ROUTES, Route};
use super::submit;
use serde_json::{Map, Value, json};

/// The description of the paths for these data parsers.
pub fn description(parsers: &[u32], release: &str) -> Value {
    let mut paths = Map::new();
    for parser in parsers {
        for route in ROUTES {
            let slash =
                if route.path.contains('/') || route.path.ends_with("association") { "" } else { "/" };
            let path = format!("/{}/v0.0.{parser}/{}{slash}", route.part, route.path);
            let methods = paths.entry(path).or_insert_with(|| json!({}));
            if let Some(methods) = methods.as_object_mut() {
                methods.insert(route.method.to_ascii_lowercase(), operation(route, *parser));
            }
        }
    }
    json!({
        "openapi": "3.0.3",
        "info": {
            "title": "Slurm REST API",
            "description": "API to access and control Slurm, simulated by sandbatch",
            "version": release.replace("slurm ", "Slurm-"),
        },
        "paths": paths,
        "components": {
            "securitySchemes": {
                "user": { "type": "apiKey", "name": "X-SLURM-USER-NAME", "in": "header" },
                "token": { "type": "apiKey", "name": "X-SLURM-USER-TOKEN", "in": "header" },
                "bearerAuth": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT" },
            },
            "schemas": { "job_desc_msg": job_schema(), "response": response_schema() },
        },
        "security": [{ "user": [], "token": [] }, { "token": [] }, { "bearerAuth": [] }],
    })
}

fn operation(route: &Route, parser: u32) -> Value {
    let words = route.path.replace(['{', '}'], "").replace('/', "_");
    let method = route.method.to_ascii_lowercase();
    let name = route.path.split(['{', '}']).nth(1);
    let parameters: Vec<Value> = name
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
        .into_iter()
        .collect();
    let response = json!({ "$ref": "#/components/schemas/response" });
    let content = |schema: Value| json!({ "application/json": { "schema": schema } });
    let mut operation = json!({
        "operationId": format!("{}_v00{parser}_{method}_{words}", route.part),
        "tags": [route.part],
        "parameters": parameters,
        "responses": {
            "200": { "description": "Success", "content": content(response.clone()) },
            "default": { "description": "Failure", "content": content(response) },
        },
    });
    if route.method == "POST"
        && let Some(parts) = operation.as_object_mut()
    {
        let schema = if route.path == "job/submit" {
            let job = json!({ "$ref": "#/components/schemas/job_desc_msg" });
            json!({ "type": "object", "properties": { "script": { "type": "string" }, "job": job } })
        } else {
            json!({ "type": "object" })
        };
        parts.insert("requestBody".to_owned(), json!({ "content": content(schema) }));
    }
    operation
}

fn job_schema() -> Value {
    let kind = |field: Field| match field {
        Field::Flag | Field::NotFlag => json!({ "type": "boolean" }),
        Field::List => json!({ "type": "array", "items": { "type": "string" } }),
        Field::Text | Field::Gres | Field::Gpus => json!({ "type": "string" }),
        Field::Number | Field::Minutes | Field::Moment | Field::Ignored => json!({}),
    };
    let properties: Map<String, Value> =
        submit::fields().map(|(name, field)| (name.to_owned(), kind(field))).collect();
    json!({ "type": "object", "properties": properties })
}

fn response_schema() -> Value {
    let list = json!({ "type": "array", "items": { "type": "object" } });
    json!({
        "type": "object",
        "properties": { "meta": { "type": "object" }, "errors": list.clone(), "warnings": list },
    })
}
