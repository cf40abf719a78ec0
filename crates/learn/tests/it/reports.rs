//! Coverage reports that real tools wrote about small programs of our own.

use std::path::Path;

use gramercy_learn::behaviour::Report;
use gramercy_learn::readers::{Format, Granularity, REGISTRY};

fn read(file: &str, granularity: Granularity) -> Report {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    let text = std::fs::read_to_string(&path).expect("it is part of the project");
    let format = Format::of(&text).expect("it is recognized");
    let name = file.rsplit_once("-calc").map(|(name, _)| name);
    assert_eq!(Some(format.name), name, "{file}");
    format.read(&text, granularity).expect("it is well-formed")
}

fn check(file: &str, granularity: Granularity, covered: &[&str], uncovered: &[&str]) {
    let report = read(file, granularity);
    let names: Vec<&str> = report.covered.iter().map(|(target, _)| &*target.name).collect();
    assert_eq!(names, covered, "{file}");
    let names: Vec<&str> = report.uncovered.iter().map(|target| &*target.name).collect();
    assert_eq!(names, uncovered, "{file}");
}

#[test]
fn names_of_formats_are_unique_and_found() {
    for format in REGISTRY {
        assert_eq!(Format::named(format.name).map(|found| found.help), Some(format.help));
        assert!(
            format.read("", Granularity::Lines).is_err()
                || format.name == "lcov"
                || format.name == "gcov"
        );
        assert!(format.read("nonsense", Granularity::Lines).is_err(), "{}", format.name);
    }
    assert!(Format::of("hello").is_none());
}

#[test]
fn coverage_py_reports_are_read() {
    let file = "coverage.py-calc.json";
    let functions = ["calc.py:Calc.run", "calc.py:add"];
    check(file, Granularity::Functions, &functions, &["calc.py:mul"]);
    let lines = [1, 2, 5, 11, 12, 13, 16].map(|line| format!("calc.py:{line}"));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    check(file, Granularity::Lines, &lines, &["calc.py:6", "calc.py:7", "calc.py:8"]);
    check(file, Granularity::Branches, &[], &["calc.py:6#7", "calc.py:6#8"]);
    let report = read(file, Granularity::Functions);
    assert!(report.uncovered[0].is_in("calc.py", &[(8, 8)]));
    assert!(!report.uncovered[0].is_in("calc.py", &[(9, 100)]));
}

#[test]
fn lcov_reports_are_read() {
    let file = "lcov-calc.info";
    check(file, Granularity::Functions, &["calc.py:add", "calc.py:Calc.run"], &["calc.py:mul"]);
    let branches = ["calc.py:6#0.jump to line 7", "calc.py:6#0.jump to line 8"];
    check(file, Granularity::Branches, &[], &branches);
    assert_eq!(read(file, Granularity::Lines).covered.len(), 7);
    let (add, calls) = &read(file, Granularity::Functions).covered[0];
    assert_eq!((add.first_line, add.last_line, *calls), (Some(1), Some(2), Some(1)));
    let malformed = Format::named("lcov").expect("it is registered");
    let error = malformed.read("SF:a.c\nDA:one,1\nend_of_record\n", Granularity::Lines);
    assert_eq!(error.unwrap_err(), "it is no lcov report: line 2 is malformed: `DA:one,1`");
    let error = malformed.read("SF:a.c\nDA:1,1\n", Granularity::Lines);
    assert_eq!(error.unwrap_err(), "it is no lcov report: its last record does not end");
}

#[test]
fn newer_lcov_reports_are_read() {
    let text = "SF:a.c\nFNL:0,3,9\nFNA:0,4,f\nFNL:1,11,12\nFNA:1,0,g\nend_of_record\n";
    let format = Format::of(text).expect("it is recognized");
    let report = format.read(text, Granularity::Functions).expect("it is well-formed");
    let (f, calls) = &report.covered[0];
    assert_eq!((&*f.name, f.first_line, f.last_line, *calls), ("a.c:f", Some(3), Some(9), Some(4)));
    assert_eq!(report.uncovered[0].name, "a.c:g");
}

#[test]
fn gcov_reports_are_read() {
    let file = "gcov-calc.json";
    check(file, Granularity::Functions, &["calc.c:add", "calc.c:main"], &["calc.c:mul"]);
    let untaken = ["calc.c:4#0", "calc.c:4#1", "calc.c:9#0"];
    check(file, Granularity::Branches, &["calc.c:9#1"], &untaken);
    let lines = ["calc.c:2", "calc.c:8", "calc.c:9", "calc.c:11", "calc.c:12"];
    let missed = ["calc.c:3", "calc.c:4", "calc.c:5", "calc.c:6", "calc.c:10"];
    check(file, Granularity::Lines, &lines, &missed);
}

#[test]
fn cobertura_reports_are_read() {
    let file = "cobertura-calc.xml";
    assert_eq!(read(file, Granularity::Lines).covered.len(), 7);
    check(file, Granularity::Branches, &[], &["calc.py:6#1", "calc.py:6#2"]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    let text = std::fs::read_to_string(path).expect("it is part of the project");
    let format = Format::of(&text).expect("it is recognized");
    let error = format.read(&text, Granularity::Functions).unwrap_err();
    assert_eq!(error, "it is no cobertura report: it lists no methods; use lines instead");
}

#[test]
fn methods_in_cobertura_reports_are_covered_by_their_lines() {
    let text = r#"<?xml version="1.0"?><coverage><packages><package><classes><class filename="a.c"><methods>
        <method name="f" signature="()"><lines><line number="1" hits="0"/><line number="2" hits="3"/></lines></method>
        <method name="g" signature="()"><lines><line number="4" hits="0"/></lines></method>
        </methods><lines><line number="1" hits="0"/></lines></class></classes></package></packages></coverage>"#;
    let format = Format::of(text).expect("it is recognized");
    let report = format.read(text, Granularity::Functions).expect("it is well-formed");
    let (f, calls) = &report.covered[0];
    assert_eq!((&*f.name, f.last_line, *calls), ("a.c:f()", Some(2), Some(3)));
    assert_eq!(report.uncovered[0].name, "a.c:g()");
}

/// The format as the DTD of JaCoCo describes it.
#[test]
fn jacoco_reports_are_read() {
    let text = r#"<?xml version="1.0"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
        <report name="r"><package name="org/x"><class name="org/x/A" sourcefilename="A.java">
        <method name="&lt;init&gt;" desc="()V" line="3"><counter type="METHOD" missed="0" covered="1"/></method>
        <method name="f" desc="(I)V" line="5"><counter type="LINE" missed="0" covered="9"/>
        <counter type="METHOD" missed="0" covered="1"/></method>
        <method name="g" desc="()V" line="9"><counter type="METHOD" missed="1" covered="0"/></method>
        </class><sourcefile name="A.java"><line nr="5" mi="0" ci="3" mb="1" cb="1"/>
        <line nr="9" mi="2" ci="0" mb="0" cb="0"/></sourcefile></package></report>"#;
    let format = Format::of(text).expect("it is recognized");
    assert_eq!(format.name, "jacoco");
    let names = |granularity| {
        let report = format.read(text, granularity).expect("it is well-formed");
        let covered = report.covered.into_iter().map(|(target, _)| target.name.clone());
        let uncovered = report.uncovered.into_iter().map(|target| target.name.clone());
        (covered.collect::<Vec<_>>(), uncovered.collect::<Vec<_>>())
    };
    let functions = names(Granularity::Functions);
    assert_eq!((&*functions.0[0], &*functions.1[0]), ("org/x/A.f(I)V", "org/x/A.g()V"));
    assert_eq!((functions.0.len(), functions.1.len()), (1, 1));
    assert_eq!(names(Granularity::Lines).0, ["org/x/A.java:5"]);
    assert_eq!(names(Granularity::Branches).1, ["org/x/A.java:5#2"]);
}

/// The format as the source of llvm-cov describes it.
#[test]
fn llvm_cov_reports_are_read() {
    let text = r#"{"type":"llvm.coverage.json.export","version":"2.0.1","data":[{"files":[{"filename":"a.c",
        "segments":[[1,10,2,true,true,false],[3,1,0,true,true,false],[4,2,2,true,false,false],[5,2,0,false,false,false]],
        "branches":[[3,5,3,9,7,0,0,0,4]]}],"functions":[
        {"name":"f","count":2,"filenames":["a.c"],"regions":[[1,10,5,2,2,0,0,0]]},
        {"name":"a.c:g","count":0,"filenames":["a.c"],"regions":[[7,1,8,2,0,0,0,0]]}]}]}"#;
    let format = Format::of(text).expect("it is recognized");
    let read = |granularity| format.read(text, granularity).expect("it is well-formed");
    let functions = read(Granularity::Functions);
    assert_eq!(functions.covered[0].0.name, "a.c:f");
    let g = &functions.uncovered[0];
    assert_eq!((&*g.name, g.last_line), ("a.c:g", Some(8)));
    let branches = read(Granularity::Branches);
    assert_eq!((branches.covered.len(), &*branches.uncovered[0].name), (1, "a.c:3#5.false"));
    let lines = read(Granularity::Lines);
    let lines: Vec<u32> = lines.covered.iter().filter_map(|(line, _)| line.first_line).collect();
    assert_eq!(lines, [1, 2, 3, 4, 5]);
}
