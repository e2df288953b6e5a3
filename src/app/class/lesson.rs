//! The lesson of a class: the teacher's choice, and what the learn panel shows of it.

use super::{tell, to_engine};
use crate::fetch::{self, CourseRow};
use crate::file_reader;
use crate::follow::{When, flag, string};
use crate::notices::NoticeOffer;
use crate::page::Page;
use crate::progress::LessonState;
use crate::workspace::Zone;
use classroom::board::BoardRow;
use classroom::wire::ToClassServer;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::class::ToClass;
use protocol::{LessonFile, LessonInfo};
use std::sync::Arc;
use view::address::LessonSource;
use view::fill::fill;

/// The class has this lesson from now on, or none.
pub fn opened(page: Page, lesson: LessonState, info: Option<LessonInfo>) {
    let Some(info) = info else {
        lesson.info.set(None);
        return;
    };
    lesson.passed.set(info.progress.passed);
    lesson.score.set(info.progress);
    page.workspace.panel.set("learn");
    page.workspace.zone.set(Zone::Panels);
    lesson.listed.set(false);
    lesson.info.set(Some(Arc::new(info)));
}

/// The engine reads a file, checks whether it fits the class, and returns what the server needs.
fn read(name: String, text: String) {
    to_engine(ToClass::ReadLesson(LessonFile { name, text, ..LessonFile::default() }));
}

fn choose(page: Page, name: String) {
    if name.is_empty() {
        tell(&ToClassServer::Lesson(None));
        return;
    }
    spawn_local(async move {
        match fetch::lesson(LessonSource::Course(name), String::new()).await {
            Ok(Some((name, text))) => read(name, text),
            Ok(None) => {}
            Err(why) => page.tell(|w| w.lesson_failed, why, NoticeOffer::None),
        }
    });
}

/// The teacher's choice of a lesson: those of the course for the class's site, or a file.
pub fn chooser(page: Page, lesson: LessonState) -> AnyView {
    let course = RwSignal::new(Vec::<CourseRow>::new());
    Effect::new(move || {
        let language = page.prefs.lang.get().code();
        spawn_local(async move {
            course.try_set(fetch::course(language).await);
        });
    });
    let open = Memo::new(move |_| {
        lesson.info.with(|info| info.as_ref().map(|info| (info.name.clone(), info.title.clone())))
    });
    let rows = move || {
        let (site, open) = (page.site.get(), open.get());
        let mut rows: Vec<(String, String)> = course.with(|rows| {
            rows.iter().filter(|row| row.2 == site).map(|row| (row.0.clone(), row.1.clone())).collect()
        });
        if let Some(open) = open.clone().filter(|open| rows.iter().all(|row| row.0 != open.0)) {
            rows.insert(0, open);
        }
        let name = open.map(|open| open.0);
        let row = |(value, title): (String, String)| {
            let selected = name.as_ref() == Some(&value);
            view! { <option value=value selected=selected>{title}</option> }
        };
        rows.into_iter().map(row).collect::<Vec<_>>()
    };
    let chosen = move |event| choose(page, event_target_value(&event));
    let file = move |event: web_sys::Event| {
        file_reader::chosen(&event, move |files| match files {
            Ok(files) => {
                if let Some((name, text)) = files.into_iter().next() {
                    read(name, text);
                }
            }
            Err(why) => page.tell(|w| w.lesson_failed, why, NoticeOffer::None),
        });
    };
    view! {
        <div class="row-of-buttons class-lesson">
            <label><span>{page.say(|w| w.lesson)}</span>" "
                <select data-testid="class-lesson" on:change=chosen>
                    <option value="" selected=flag(move || open.with(Option::is_none))>{page.say_later(|w| w.link_no_lesson)}</option>
                    {rows}
                </select></label>
            <label class="button">{page.say_later(|w| w.lesson_file)}
                <input type="file" accept=".md,text/markdown,text/plain" data-testid="class-lesson-file" on:change=file /></label>
        </div>
    }
    .into_any()
}

/// A participant's step, the time on it and the commands that failed there.
pub fn step_text(page: Page, row: &BoardRow) -> String {
    let Some(step) = row.work.lesson else { return String::new() };
    if step.passed >= step.total {
        return page.later().class_all_steps.to_owned();
    }
    let numbers = [step.passed + 1, step.total].map(|n| n.to_string());
    let text = fill(
        page.later().class_step_of,
        &[&numbers[0], &numbers[1], &super::board::minutes(u64::from(step.seconds))],
    );
    if step.failures == 0 {
        return text;
    }
    format!("{text} · {}", fill(page.later().class_step_failures, &[&step.failures.to_string()]))
}

/// The heading and the cells of the lesson's column, while there is a lesson.
pub fn heading(page: Page, lesson: LessonState) -> AnyView {
    view! { <When holds=flag(move || lesson.info.with(Option::is_some))><th scope="col">{page.say_later(|w| w.class_step)}</th></When> }
        .into_any()
}

/// A participant's cell of the lesson's column.
pub fn cell(lesson: LessonState, text: impl Fn() -> String + Copy + Send + Sync + 'static) -> AnyView {
    view! { <When holds=flag(move || lesson.info.with(Option::is_some))><td data-testid="class-step">{string(text)}</td></When> }
        .into_any()
}
